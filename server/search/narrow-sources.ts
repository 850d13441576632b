import { timeSpans } from "../api/queries/import-ranges.ts";
import { CHUNK, type Chunk, messageIndex } from "../api/queries/message-index.ts";
import { FLAG, flagged, type ReadState } from "../api/queries/read-state.ts";
import type { Reader } from "../storage/transaction.ts";

export type Direction = "up" | "down";

/** Some candidates, in the requested direction. */
export interface Page {
  readonly ids: readonly number[];
  /** Where the next page begins; undefined: this is the last page. */
  readonly next: number | undefined;
}

/** Candidates for a term, a superset of its matches: about `limit` of them, from an id on. */
export type Source = (direction: Direction, from: number, limit: number) => Page;

export const after = (direction: Direction, id: number): number => (direction === "down" ? id - 1 : id + 1);

/** Whether `a` comes before `b` in this direction. */
export const isEarlier = (direction: Direction, a: number, b: number): boolean =>
  direction === "down" ? a > b : a < b;

/** The page with the ids of a query with this limit. */
export const pageOf = (direction: Direction, ids: readonly number[], limit: number): Page => ({
  ids,
  next: ids.length < limit ? undefined : after(direction, ids.at(-1) as number),
});

/**
 * Asks all sources for each page and takes the one that reaches furthest: the most selective source leads, even if that
 * changes from page to page.
 */
export function furthest(sources: readonly [Source, ...Source[]]): Source {
  const [first, ...others] = sources;
  return (direction, from, limit) => {
    let best = first(direction, from, limit);
    for (const source of others) {
      if (best.next === undefined && best.ids.length === 0) break;
      const page = source(direction, from, limit);
      if (isFurther(direction, page, best)) best = page;
    }
    return best;
  };
}

function isFurther(direction: Direction, page: Page, best: Page): boolean {
  if (page.next === undefined) return best.next !== undefined || page.ids.length < best.ids.length;
  return best.next !== undefined && isEarlier(direction, best.next, page.next);
}

/** Ids from an index of messages. `down` and `up` are constant SQL with the values, a bound and a limit. */
const fromSql =
  (reader: Reader, down: string, up: string, ...values: number[]): Source =>
  (direction, from, limit) => {
    const sql = direction === "down" ? down : up;
    const ids = reader.all<{ id: number }>(sql, ...values, from, limit).map(({ id }) => id);
    return pageOf(direction, ids, limit);
  };

export const byRecipient = (reader: Reader, recipientId: number): Source =>
  fromSql(
    reader,
    "SELECT id FROM messages INDEXED BY messages_by_recipient WHERE recipient_id = ? AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_by_recipient WHERE recipient_id = ? AND id >= ? ORDER BY id LIMIT ?",
    recipientId,
  );

export const byTopic = (reader: Reader, topic: number): Source =>
  fromSql(
    reader,
    "SELECT id FROM messages INDEXED BY messages_by_topic WHERE topic_id = ? AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_by_topic WHERE topic_id = ? AND id >= ? ORDER BY id LIMIT ?",
    topic,
  );

export const bySender = (reader: Reader, sender: number): Source =>
  fromSql(
    reader,
    "SELECT id FROM messages INDEXED BY messages_by_sender WHERE sender_id = ? AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_by_sender WHERE sender_id = ? AND id >= ? ORDER BY id LIMIT ?",
    sender,
  );

export const withLink = (reader: Reader): Source =>
  fromSql(
    reader,
    "SELECT id FROM messages INDEXED BY messages_with_link WHERE holds & 1 AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_with_link WHERE holds & 1 AND id >= ? ORDER BY id LIMIT ?",
  );

export const withImage = (reader: Reader): Source =>
  fromSql(
    reader,
    "SELECT id FROM messages INDEXED BY messages_with_image WHERE holds & 2 AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_with_image WHERE holds & 2 AND id >= ? ORDER BY id LIMIT ?",
  );

export const withAttachment = (reader: Reader): Source =>
  fromSql(
    reader,
    "SELECT id FROM messages INDEXED BY messages_with_attachment WHERE holds & 4 AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_with_attachment WHERE holds & 4 AND id >= ? ORDER BY id LIMIT ?",
  );

export const withMention = (reader: Reader): Source =>
  fromSql(
    reader,
    "SELECT id FROM messages INDEXED BY messages_with_mention WHERE holds & 8 AND id <= ? ORDER BY id DESC LIMIT ?",
    "SELECT id FROM messages INDEXED BY messages_with_mention WHERE holds & 8 AND id >= ? ORDER BY id LIMIT ?",
  );

export const withReaction = (reader: Reader): Source =>
  fromSql(
    reader,
    "SELECT DISTINCT message_id AS id FROM reactions WHERE message_id <= ? ORDER BY message_id DESC LIMIT ?",
    "SELECT DISTINCT message_id AS id FROM reactions WHERE message_id >= ? ORDER BY message_id LIMIT ?",
  );

/** Ids from an ascending list. */
export const fromList =
  (list: readonly number[]): Source =>
  (direction, from, limit) => {
    // The first that is not below `from`; for "down", the first above it.
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const id = list[middle] as number;
      if (direction === "down" ? id <= from : id < from) low = middle + 1;
      else high = middle;
    }
    const ids =
      direction === "down" ? list.slice(Math.max(0, low - limit), low).reverse() : list.slice(low, low + limit);
    return pageOf(direction, ids, limit);
  };

const CHUNK_BITS = Math.log2(CHUNK);
/** How many messages one page scans in memory, even if few match. */
const MAX_SCANNED = 65_536;

/** Ids from the index in memory. */
const byIndex =
  (reader: Reader, matches: (chunk: Chunk, at: number, id: number) => boolean): Source =>
  (direction, from, limit) => {
    const index = messageIndex(reader);
    const last = index.last(reader);
    const step = direction === "down" ? -1 : 1;
    const ids: number[] = [];
    if (step < 0 && from < 1) return { ids, next: undefined };
    const start = Math.max(1, step < 0 ? Math.min(from, last) : from);
    let [number, chunk]: [number, Chunk | undefined] = [-1, undefined];
    for (let id = start; id >= 1 && id <= last; id += step) {
      if (ids.length >= limit || Math.abs(id - start) >= MAX_SCANNED) return { ids, next: id };
      if (!chunk || id >> CHUNK_BITS !== number) {
        number = id >> CHUNK_BITS;
        chunk = index.chunk(reader, number);
      }
      const at = id & (CHUNK - 1);
      if (chunk.senders[at] !== 0 && matches(chunk, at, id)) ids.push(id);
    }
    return { ids, next: undefined };
  };

/** Scans the index in memory, which with many topics is faster than merging a query for each. */
export const byTopics = (reader: Reader, topics: ReadonlySet<number>): Source =>
  topics.size === 0 ? fromList([]) : byIndex(reader, (chunk, at) => topics.has(chunk.topics[at] as number));

export const everything = (reader: Reader): Source => byIndex(reader, () => true);

/** Imported messages, or all others. Passes the others without reading them. */
export function byImport(reader: Reader, isImported: boolean): Source {
  const all = everything(reader);
  return (direction, from, limit) => {
    const spans = timeSpans(reader, messageIndex(reader).last(reader)).filter(
      ({ importId }) => (importId !== null) === isImported,
    );
    if (direction === "down") spans.reverse();
    for (const { first, last } of spans) {
      const [nearest, end] = direction === "down" ? [last, first] : [first, last];
      if (isEarlier(direction, end, from)) continue;
      const start = isEarlier(direction, from, nearest) ? nearest : from;
      const page = all(direction, start, Math.min(limit, Math.abs(end - start) + 1));
      const ids = page.ids.filter((id) => !isEarlier(direction, end, id));
      return { ids, next: ids.length < page.ids.length || page.next === undefined ? after(direction, end) : page.next };
    }
    return { ids: [], next: undefined };
  };
}

/**
 * The messages that the user received, sent or flagged, and few others. Without this source, a new member's search
 * would test a hundred thousand messages of others.
 */
export function ownHistory(reader: Reader, state: ReadState): Source {
  let historical: Set<number> | undefined;
  return byIndex(reader, ({ senders, sent, locations }, at, id) => {
    if (senders[at] === state.userId || state.everReceived(sent[at] as number, locations[at] as number)) return true;
    historical ??= new Set(flagged(reader, state.userId, FLAG.historical));
    return historical.has(id);
  });
}
