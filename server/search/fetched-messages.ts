import { type MessageVisibility, messageVisibility } from "../api/access/messages.ts";
import { isSpectator } from "../api/access/public-access.ts";
import { type FetchedMessage, FRAME_BYTES, messageSizes, messagesFor, type Shape } from "../api/presenters/messages.ts";
import { timeSpans } from "../api/queries/import-ranges.ts";
import { messageIndex } from "../api/queries/message-index.ts";
import { earliestOf, firstIdSince, renderedContentOf } from "../api/queries/messages.ts";
import { type User, userById } from "../api/queries/users.ts";
import { badRequest } from "../errors.ts";
import { highlightMatches, highlightText } from "../markdown/matches.ts";
import type { Reader } from "../storage/transaction.ts";
import { type CompiledNarrow, compileNarrow } from "./narrow.ts";
import type { NarrowTerm } from "./narrow-terms.ts";

/** Work that other requests may interrupt at each `yield`. The database may change in between. */
export type Slices<T> = Generator<undefined, T>;

/** A `since` is in milliseconds. */
export type Anchor = number | "newest" | "oldest" | "first_unread" | { since: number };

export interface MessageRange {
  anchor: Anchor;
  includeAnchor: boolean;
  before: number;
  after: number;
  narrow: readonly NarrowTerm[];
}
export type Fetch = MessageRange & Shape;

export interface FetchAnswer {
  messages: FetchedMessage[];
  anchor: number;
  found_newest: boolean;
  found_oldest: boolean;
  found_anchor: boolean;
  history_limited: boolean;
}

/** The `anchor` of a response that ends at the newest message: above all ids, and exact as a double. */
const BEYOND_NEWEST = 10_000_000_000_000_000;
/** How many messages are tested between two points at which the work may be interrupted. */
const MAX_SCANNED = 64;
/** The limit of a response, which a single message may exceed. It is built in one turn, so that nothing changes. */
const MAX_ANSWER_BYTES = 8_000_000;

/** Marks make a text up to sixteen times as long. Longer results are sent without marks. */
const MAX_MARKED = 3;
const MARKS_FLOOR = 2000;

const tooManyBytes = () => badRequest("messages_too_large", { max: MAX_ANSWER_BYTES });

/** Messages around the anchor that match the narrow, ascending (docs/protocol.md#fetching-messages). */
export function* fetchMessages(reader: Reader, viewer: User, fetch: Fetch): Slices<FetchAnswer> {
  const visibility = messageVisibility(reader, viewer);
  const narrow = compileNarrow(reader, visibility, fetch.narrow);
  const { ids: all, ...found } = yield* around(reader, visibility, narrow, fetch);
  const ids = yield* nearestThatFit(reader, all, found.anchor, { shape: fetch, narrow });
  if (ids[0] !== all[0]) found.found_oldest = false;
  if (ids.at(-1) !== all.at(-1)) found.found_newest = false;
  const messages = yield* shaped(reader, viewer, { ids, narrow, shape: fetch });
  return { messages, ...found, history_limited: false };
}

/** The ids nearest to the anchor whose messages fit into a response, and at least one. `ids` must ascend. */
function* nearestThatFit(
  reader: Reader,
  ids: readonly number[],
  anchor: number,
  answer: { shape: Shape; narrow: CompiledNarrow },
): Slices<number[]> {
  const middle = ids.filter((id) => id < anchor).length;
  const nearestFirst: number[] = [];
  // Alternates between both sides.
  for (let distance = 0; nearestFirst.length < ids.length; distance++) {
    for (const id of [ids[middle + distance], ids[middle - 1 - distance]]) if (id !== undefined) nearestFirst.push(id);
  }
  const count = yield* countThatFits(reader, nearestFirst, answer);
  return nearestFirst.slice(0, Math.max(1, count)).sort((a, b) => a - b);
}

/** The number of leading messages that fit into a response. */
function* countThatFits(
  reader: Reader,
  ids: readonly number[],
  { shape, narrow }: { shape: Shape; narrow: CompiledNarrow | undefined },
): Slices<number> {
  let bytes = 0;
  // Search results are sent twice: without and with marks.
  const marked = narrow?.searches ? MAX_MARKED : 0;
  for (let at = 0; at < ids.length; at += MAX_SCANNED) {
    for (const [index, size] of messageSizes(reader, ids.slice(at, at + MAX_SCANNED), shape).entries()) {
      bytes += size + marked * Math.max(0, size - FRAME_BYTES);
      if (bytes > MAX_ANSWER_BYTES) return at + index;
    }
    yield;
  }
  return ids.length;
}

/** The given messages that match the narrow and that the viewer can read, ascending. */
export function* fetchMessagesById(
  reader: Reader,
  viewer: User,
  { ids, narrow: terms, ...shape }: Shape & { ids: readonly number[]; narrow: readonly NarrowTerm[] },
): Slices<FetchedMessage[]> {
  const visibility = messageVisibility(reader, viewer);
  const narrow = terms.length > 0 ? compileNarrow(reader, visibility, terms) : undefined;
  const matching: number[] = [];
  for (const [index, id] of [...new Set(ids)].entries()) {
    if (narrow ? narrow.matches(id) : visibility.sees(id)) matching.push(id);
    if (index % (narrow?.stride ?? MAX_SCANNED) === 0) yield;
  }
  if ((yield* countThatFits(reader, matching, { shape, narrow })) < matching.length && matching.length > 1)
    throw tooManyBytes();
  return yield* shaped(reader, viewer, { ids: matching.sort((a, b) => a - b), narrow, shape });
}

/** Ids of messages around the anchor that match the narrow, and the ends that were reached. */
export function* messagesAround(reader: Reader, viewer: User, range: MessageRange): Slices<Around> {
  const visibility = messageVisibility(reader, viewer);
  const found = yield* around(reader, visibility, compileNarrow(reader, visibility, range.narrow), range);
  return { ...found, ids: stillVisible(currentVisibility(reader, viewer), found.ids) };
}

interface Around {
  ids: number[];
  anchor: number;
  found_newest: boolean;
  found_oldest: boolean;
  found_anchor: boolean;
}

function* around(
  reader: Reader,
  visibility: MessageVisibility,
  narrow: CompiledNarrow,
  fetch: MessageRange,
): Slices<Around> {
  const anchor = yield* anchorId(reader, fetch.anchor, visibility, narrow);
  const [leftmost, rightmost] = [anchor <= 0, anchor >= BEYOND_NEWEST];
  // Shows whether there are more than requested.
  const oneMore = (count: number) => (count === 0 ? 0 : count + 1);
  const before = leftmost ? [] : yield* take(narrow.walk("down", anchor - 1), oneMore(fetch.before));
  const after = rightmost ? [] : yield* take(narrow.walk("up", anchor + 1), oneMore(fetch.after));
  const foundAnchor = fetch.includeAnchor && !leftmost && !rightmost && narrow.matches(anchor);
  const found_oldest = leftmost || (fetch.before > 0 && before.length <= fetch.before);
  const found_newest = rightmost || (fetch.after > 0 && after.length <= fetch.after);
  const ids = before.slice(0, fetch.before).reverse();
  if (foundAnchor) ids.push(anchor);
  ids.push(...after.slice(0, fetch.after));
  return { ids, anchor, found_newest, found_oldest, found_anchor: foundAnchor };
}

/** The first message of the narrow since that time, or else its newest. */
function* firstSince(reader: Reader, since: number, narrow: CompiledNarrow): Slices<number> {
  const last = messageIndex(reader).last(reader);
  const found = new Map<number | null, number>();
  // The last walk: no message of the narrow is between its start and `match`.
  let [start, match] = [last + 1, Number.POSITIVE_INFINITY];
  for (const span of timeSpans(reader, last)) {
    if (found.has(span.importId)) continue;
    const first = firstIdSince(reader, since, span);
    if (first > span.last) continue;
    if (start > first || match < first) {
      start = first;
      [match = Number.POSITIVE_INFINITY] = yield* take(narrow.walk("up", first), 1);
    }
    if (match <= span.last) found.set(span.importId, match);
    yield;
  }
  if (found.size > 0) return earliestOf(reader, [...found.values()]) ?? BEYOND_NEWEST;
  const [newest = BEYOND_NEWEST] = yield* take(
    narrow.walk("down", match < Number.POSITIVE_INFINITY ? last : start - 1),
    1,
  );
  return newest;
}

function* anchorId(
  reader: Reader,
  anchor: Anchor,
  visibility: MessageVisibility,
  narrow: CompiledNarrow,
): Slices<number> {
  if (anchor === "newest") return BEYOND_NEWEST;
  if (anchor === "oldest") return 0;
  if (isSpectator(visibility.viewer) && anchor === "first_unread") return BEYOND_NEWEST;
  if (typeof anchor === "object") return yield* firstSince(reader, anchor.since, narrow);
  if (anchor !== "first_unread") return Math.max(0, Math.min(anchor, BEYOND_NEWEST));
  const unread = visibility.state.unread({ remember: true }).reverse();
  for (const [index, id] of unread.entries()) {
    if (narrow.matches(id)) return id;
    if (index % narrow.stride === 0) yield;
  }
  return BEYOND_NEWEST;
}

function* take(ids: Iterable<number | undefined>, max: number): Slices<number[]> {
  const taken: number[] = [];
  if (max < 1) return taken;
  for (const id of ids) {
    if (id === undefined) yield;
    else if (taken.push(id) >= max) break;
  }
  return taken;
}

const currentVisibility = (reader: Reader, viewer: User): MessageVisibility =>
  messageVisibility(reader, userById(reader, viewer.id) ?? viewer);

/** Removes messages that the viewer can no longer see since the search began. */
const stillVisible = (visibility: MessageVisibility, ids: readonly number[]): number[] =>
  ids.filter((id) => visibility.sees(id));

/** The messages in their wire form, with search results highlighted. */
function* shaped(
  reader: Reader,
  viewer: User,
  { ids, narrow, shape }: { ids: readonly number[]; narrow: CompiledNarrow | undefined; shape: Shape },
): Slices<FetchedMessage[]> {
  const searches = narrow?.searches;
  const marked = searches && (yield* markedContents(reader, ids, searches));
  const visibility = currentVisibility(reader, viewer);
  const messages = messagesFor(reader, visibility, stillVisible(visibility, ids), shape);
  if (!searches || !marked) return messages;
  for (const message of messages) {
    message.match_content = marked.get(message.id) ?? "";
    message.match_subject = highlightText(message.subject, searches);
  }
  return messages;
}

function* markedContents(
  reader: Reader,
  ids: readonly number[],
  searches: readonly string[],
): Slices<Map<number, string>> {
  const marked = new Map<number, string>();
  for (const id of ids) {
    const html = renderedContentOf(reader, id);
    if (html !== undefined) {
      const highlighted = highlightMatches(html, searches);
      marked.set(id, highlighted.length > MAX_MARKED * html.length + MARKS_FLOOR ? html : highlighted);
    }
    yield;
  }
  return marked;
}
