import { foldedWords, WORDS_VERSION, wordsOfHtml } from "../markdown/matches.ts";
import {
  isDamage,
  isIndexDamaged,
  recordDamage,
  type SearchState,
  staleDocuments,
  storedSearchState,
} from "../queries/search-index.ts";
import type { Maintenance, Reader } from "../storage/transaction.ts";

/*
 * The index of words. It is in no record of the log: a checkpoint holds it as far as it went, and what came after is
 * put in again. A message that was edited or moved is put in once more; what it held before stays behind and is found
 * to be stale by whoever searches, as are messages that are gone.
 */

const READ_AT_ONCE = 64;
/** Of a slice that somebody may be waiting behind: how long it puts in, and how long it then joins what was put in. */
const SLICE_MS = 8;
/**
 * FTS4's incremental merge: 8 pages at a time, where 8 parts of one size have come together. At 16 of them FTS4 would
 * join them all at once, which takes 370 ms at 300,000 messages; so the longest slice takes 40 ms, at 1,000,000 55.
 */
const MERGE = "merge=8,8";
const MERGES_IN_A_SLICE = 8;

/** Puts into the index what it lacks, for some milliseconds. True: nothing is left. */
export function indexSlice(work: Maintenance): boolean {
  const done = indexWhile(work, within(SLICE_MS));
  const inTime = within(SLICE_MS);
  for (let left = MERGES_IN_A_SLICE; left > 0 && inTime(); left -= 1)
    work.run("INSERT INTO message_search (message_search) VALUES (?)", MERGE);
  return done;
}

/** A slice of the live index. One that is damaged is made anew from the next slice on. */
export function improveIndex(store: {
  reader: Reader;
  maintain(fn: (work: Maintenance) => boolean): boolean;
}): boolean {
  const startsAnew = isIndexDamaged(store.reader);
  try {
    return store.maintain(indexSlice);
  } catch (error) {
    if (!isDamage(error)) throw error;
    recordDamage(store.reader);
    // Where not even a new one can be made, whoever calls would go on for ever.
    if (startsAnew) throw error;
    return false;
  }
}

function within(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() < end;
}

const INDEXED_AT_ONCE = 5000;
/** Stale documents at which the index is made anew, so that words of deleted messages do not stay for ever. */
const STALE = { least: 1000, part: 0.1 };

/** As `indexSlice`, where nobody waits: in large transactions, and anew where too much has become stale. */
export function indexAll(work: Maintenance): boolean {
  let turns = INDEXED_AT_ONCE / READ_AT_ONCE;
  if (!indexWhile(work, () => turns-- > 0)) return false;
  const documents = storedSearchState(work)?.documents ?? 0;
  if (staleDocuments(work) <= Math.max(STALE.least, documents * STALE.part)) return true;
  clear(work);
  return false;
}

function indexWhile(work: Maintenance, more: () => boolean): boolean {
  const state = { ...(storedSearchState(work) ?? clear(work)) };
  const { documents, edit_id } = state;
  let done = false;
  do done = !(indexEdits(work, state) || indexMessages(work, state));
  while (!done && more());
  if (state.documents !== documents || state.edit_id !== edit_id) save(work, state);
  return done;
}

/** Each of these says whether there was something to do. */
function indexEdits(work: Maintenance, state: SearchState): boolean {
  const edits = work.all<{ id: number; message: number }>(
    "SELECT id, message_id AS message FROM message_edits WHERE id > ? ORDER BY id LIMIT ?",
    state.edit_id,
    READ_AT_ONCE,
  );
  for (const id of new Set(edits.map(({ message }) => message))) {
    if (id > state.message_id) continue;
    const message = work.get<Text>("SELECT id, rendered_content AS html, topic FROM messages WHERE id = ?", id);
    if (message) index(work, state, message);
  }
  state.edit_id = edits.at(-1)?.id ?? state.edit_id;
  return edits.length > 0;
}

function indexMessages(work: Maintenance, state: SearchState): boolean {
  const messages = work.all<Text>(
    "SELECT id, rendered_content AS html, topic FROM messages WHERE id > ? ORDER BY id LIMIT ?",
    state.message_id,
    READ_AT_ONCE,
  );
  for (const message of messages) index(work, state, message);
  state.message_id = messages.at(-1)?.id ?? state.message_id;
  return messages.length > 0;
}

interface Text {
  id: number;
  html: string;
  topic: string;
}

function index(work: Maintenance, state: SearchState, { id, html, topic }: Text): void {
  work.run(
    "INSERT INTO message_search (docid, body, topic) VALUES (?, ?, ?)",
    id,
    wordsOfHtml(html).join(" "),
    foldedWords(topic).join(" "),
  );
  state.documents += 1;
}

/** To be made anew from the next call on. */
export const clearIndex = (work: Maintenance): void => void clear(work);

/** The index of nothing. What is edited from now on is edited after its message was put in. */
function clear(work: Maintenance): SearchState {
  work.run("DELETE FROM message_search_segdir");
  work.run("DELETE FROM message_search_segments");
  work.run("DELETE FROM message_search_stat");
  const state = {
    message_id: 0,
    edit_id: work.value<number | null>("SELECT max(id) FROM message_edits") ?? 0,
    documents: 0,
    version: WORDS_VERSION,
  };
  save(work, state);
  return state;
}

const save = (work: Maintenance, { message_id, edit_id, documents, version }: SearchState): void =>
  work.run(
    "INSERT OR REPLACE INTO message_search_state (id, message_id, edit_id, documents, version) VALUES (1, ?, ?, ?, ?)",
    message_id,
    edit_id,
    documents,
    version,
  );
