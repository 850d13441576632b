import { setImmediate, setTimeout } from "node:timers/promises";
import { htmlOf } from "../api/queries/messages.ts";
import { WORDS_VERSION, wordsOfHtml, wordsOfText } from "../markdown/matches.ts";
import { StorageClosed, StorageFailed } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";
import type { Maintenance, Reader } from "../storage/transaction.ts";
import {
  isDamage,
  isIndexDamaged,
  recordDamage,
  type SearchState,
  staleDocuments,
  storedSearchState,
  unindexed,
} from "./search-index.ts";

/** After this many messages, a checkpoint saves the index, so that the next start need not repeat the work. */
const MIN_UNSAVED = 20_000;
const LOOK_EVERY_MS = 250;
/** While users send messages, indexing waits for this many, since each segment of the index has a fixed cost. */
const WORTHWHILE = 300;
/**
 * A rebuild, which removes words of deleted messages, starts after ten minutes without a write, because it delays
 * searches.
 */
const QUIET_LOOKS = 600_000 / LOOK_EVERY_MS;
/** The pause doubles after each failure, up to this. */
const MAX_WAIT_MS = 60_000;
/** As long as a slice, so that requests get half of the time. */
const PAUSE_MS = 10;

/**
 * Indexes new and changed messages for search, in slices between requests. Searches also find messages that are not
 * indexed yet (search-index.ts), but slowly, so there must be few of them.
 */
export function startIndexing(how: {
  store: Store;
  report: (message: string, error: unknown) => void;
  /** For tests without a clock. */
  wait?: (ms: number) => Promise<unknown>;
}): { stop(): void } {
  const ended = new AbortController();
  void keepIndexed(how, ended.signal);
  return { stop: () => ended.abort() };
}

const waitFor = (ms: number) => setTimeout(ms, undefined, { ref: false });

async function keepIndexed(
  { store, report, wait = waitFor }: Parameters<typeof startIndexing>[0],
  ended: AbortSignal,
): Promise<void> {
  let seq = store.seq;
  let pause = LOOK_EVERY_MS;
  let quietLooks = 0;
  for (;;) {
    await wait(pause);
    if (ended.aborted) return;
    const quiet = seq === store.seq;
    seq = store.seq;
    quietLooks = quiet ? quietLooks + 1 : 0;
    try {
      if (quietLooks > 0 && quietLooks % QUIET_LOOKS === 0) store.maintain(purgeIndex);
      const waiting = unindexed(store.reader);
      if (waiting === 0 || (waiting < WORTHWHILE && !quiet)) continue;
      await answersOut(store);
      const reportDamage = () => {
        if (isIndexDamaged(store.reader)) report("The search index is damaged: it is made anew", undefined);
      };
      reportDamage();
      while (!ended.aborted && !improveIndex(store)) {
        reportDamage();
        await wait(PAUSE_MS);
        await answersOut(store);
      }
      pause = LOOK_EVERY_MS;
      if (ended.aborted) return;
      if (waiting >= MIN_UNSAVED) {
        const failed = (error: unknown) => ended.aborted || report("The checkpoint could not be made", error);
        void store.checkpoint().catch(failed);
      }
    } catch (error) {
      if (error instanceof StorageClosed || error instanceof StorageFailed) return;
      report("The search index could not be brought up to date", error);
      pause = Math.min(2 * pause, MAX_WAIT_MS);
    }
  }
}

/** Waits until pending responses are sent, so that a slice never delays the response to a send. */
async function answersOut(store: Store): Promise<void> {
  await store.durable();
  await setImmediate();
}

/*
 * The full-text index. No log record contains it: a checkpoint has it as far as it was filled, and later messages are
 * indexed again. An edited or moved message is indexed again. Its old document stays, like those of deleted messages:
 * searches recognize such documents as stale.
 */

const READ_AT_ONCE = 16;
/** A slice takes about this long, while requests wait. */
const SLICE_MS = 8;
/**
 * FTS4's incremental merge: 4 pages at a time, once there are 8 segments of one size. At 16 segments FTS4 would merge
 * all at once, which takes 370 ms with 300,000 messages. A merge takes half a millisecond; one in thousands, which ends
 * a large segment, takes 15 (5,000,000 messages: 40).
 */
const MERGE = "merge=4,8";
const MERGES_IN_A_SLICE = 32;

/** Indexes messages for some milliseconds. Returns whether none is left. */
export const indexSlice = (work: Maintenance): boolean => indexWhile(work, within(SLICE_MS));

/** Makes a part of the index smaller. Returns false: more work can remain. */
function mergeSlice(work: Maintenance): false {
  const inTime = within(SLICE_MS);
  for (let left = MERGES_IN_A_SLICE; left > 0 && inTime(); left -= 1)
    work.run("INSERT INTO message_search (message_search) VALUES (?)", MERGE);
  return false;
}

/** Databases in which the last slice has added a segment to the index. */
const toMerge = new WeakSet<Reader>();

/**
 * Indexes for a slice on the live index, or merges where the slice before has indexed. Returns whether nothing is left
 * to index. A damaged index is rebuilt from the next slice on.
 */
export function improveIndex(store: {
  reader: Reader;
  maintain(fn: (work: Maintenance) => boolean): boolean;
}): boolean {
  const rebuilds = isIndexDamaged(store.reader);
  try {
    if (toMerge.delete(store.reader)) return store.maintain(mergeSlice);
    toMerge.add(store.reader);
    return store.maintain(indexSlice);
  } catch (error) {
    if (!isDamage(error)) throw error;
    recordDamage(store.reader);
    // If even the rebuild fails, trying again would never end.
    if (rebuilds) throw error;
    return false;
  }
}

function within(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() < end;
}

const INDEXED_AT_ONCE = 5000;
/**
 * Above this number of stale documents, the index is rebuilt, so that words of deleted messages do not stay forever.
 */
const MAX_STALE = { count: 1000, share: 0.1 };

/** Indexes in large transactions, for times without requests. Returns whether no message is left. */
export function indexAll(work: Maintenance): boolean {
  let turns = INDEXED_AT_ONCE / READ_AT_ONCE;
  return indexWhile(work, () => turns-- > 0);
}

/** Starts to empty an index with too many stale documents, which is then rebuilt. Returns whether it did. */
export function purgeIndex(work: Maintenance): boolean {
  const documents = storedSearchState(work)?.documents ?? 0;
  if (staleDocuments(work) <= Math.max(MAX_STALE.count, documents * MAX_STALE.share)) return false;
  clear(work);
  return true;
}

function indexWhile(work: Maintenance, more: () => boolean): boolean {
  const stored = storedSearchState(work) ?? clear(work);
  if (!stored) return false;
  const state = { ...stored };
  const { documents, edit_id } = state;
  let done = false;
  do done = !(indexEdits(work, state) || indexMessages(work, state));
  while (!done && more());
  if (state.documents !== documents || state.edit_id !== edit_id) save(work, state);
  return done;
}

/** Returns whether there was work to do, like `indexMessages`. */
function indexEdits(work: Maintenance, state: SearchState): boolean {
  const edits = work.all<{ id: number; message: number }>(
    "SELECT id, message_id AS message FROM message_edits WHERE id > ? ORDER BY id LIMIT ?",
    state.edit_id,
    READ_AT_ONCE,
  );
  for (const id of new Set(edits.map(({ message }) => message))) {
    if (id > state.message_id) continue;
    const message = work.get<Text>(
      "SELECT id, content, rendered_content AS stored, topic FROM messages WHERE id = ?",
      id,
    );
    if (message) index(work, state, message);
  }
  state.edit_id = edits.at(-1)?.id ?? state.edit_id;
  return edits.length > 0;
}

function indexMessages(work: Maintenance, state: SearchState): boolean {
  const messages = work.all<Text>(
    "SELECT id, content, rendered_content AS stored, topic FROM messages WHERE id > ? ORDER BY id LIMIT ?",
    state.message_id,
    READ_AT_ONCE,
  );
  for (const message of messages) index(work, state, message);
  state.message_id = messages.at(-1)?.id ?? state.message_id;
  return messages.length > 0;
}

interface Text {
  id: number;
  content: string;
  /** messages.rendered_content */
  stored: string;
  topic: string;
}

function index(work: Maintenance, state: SearchState, { id, content, stored, topic }: Text): void {
  work.run(
    "INSERT INTO message_search (docid, body, topic) VALUES (?, ?, ?)",
    id,
    wordsOfHtml(htmlOf(content, stored)).join(" "),
    wordsOfText(topic).join(" "),
  );
  state.documents += 1;
}

const BLOCKS_AT_ONCE = 200;
/** No index has this version, so it is not used, and the next slice continues to empty it. */
const BEING_EMPTIED = 0;

/**
 * Empties a part of the index, which is not used until it is empty; then returns its state. Skips earlier edits, since
 * their messages are indexed in their current form.
 */
function clear(work: Maintenance): SearchState | undefined {
  work.run("DELETE FROM message_search_segdir"); // the root: no block is reachable without it
  work.run("DELETE FROM message_search_stat");
  work.run(
    `DELETE FROM message_search_segments
     WHERE blockid IN (SELECT blockid FROM message_search_segments ORDER BY blockid LIMIT ?)`,
    BLOCKS_AT_ONCE,
  );
  const isEmpty = work.value("SELECT 1 FROM message_search_segments LIMIT 1") === undefined;
  const state = {
    message_id: 0,
    edit_id: work.value<number | null>("SELECT max(id) FROM message_edits") ?? 0,
    documents: 0,
    version: isEmpty ? WORDS_VERSION : BEING_EMPTIED,
  };
  save(work, state);
  return isEmpty ? state : undefined;
}

const save = (work: Maintenance, { message_id, edit_id, documents, version }: SearchState): void =>
  work.run(
    "INSERT OR REPLACE INTO message_search_state (id, message_id, edit_id, documents, version) VALUES (1, ?, ?, ?, ?)",
    message_id,
    edit_id,
    documents,
    version,
  );
