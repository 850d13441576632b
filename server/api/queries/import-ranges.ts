import type { Reader } from "../../storage/transaction.ts";

/** Messages that an import has written together. */
interface ImportRange {
  readonly first_id: number;
  readonly last_id: number;
  readonly import_id: number;
  /** Milliseconds since the epoch. */
  readonly written_at: number;
}

/** Ascending. */
const importRanges = (reader: Reader): readonly ImportRange[] =>
  reader.derived("import ranges", ["import_ranges"], (rows) =>
    rows.all<ImportRange>("SELECT first_id, last_id, import_id, written_at FROM import_ranges ORDER BY first_id"),
  );

const NEVER = () => false;

/**
 * Whether messages are imported: such messages are read for everybody, until a user marks them as unread. For many
 * lookups in the same state.
 */
export function importedMessages(reader: Reader): (messageId: number) => boolean {
  const ranges = importRanges(reader);
  return ranges.length === 0 ? NEVER : (messageId) => rangeOf(ranges, messageId) !== undefined;
}

/** The range that contains a message; undefined if the message is not imported. */
export const importWriting = (reader: Reader, messageId: number): ImportRange | undefined =>
  rangeOf(importRanges(reader), messageId);

/** Message ids from `first` to `last`, whose send times ascend. */
export interface TimeSpan {
  readonly first: number;
  readonly last: number;
  /** Null: not imported. */
  readonly importId: number | null;
}

/** All ids up to `last`, ascending: import ranges and the ids between them. Times of equal `importId` ascend too. */
export function timeSpans(reader: Reader, last: number): TimeSpan[] {
  const spans: TimeSpan[] = [];
  let next = 1;
  for (const { first_id, last_id, import_id } of importRanges(reader)) {
    if (first_id > next) spans.push({ first: next, last: first_id - 1, importId: null });
    spans.push({ first: first_id, last: last_id, importId: import_id });
    next = last_id + 1;
  }
  if (next <= last) spans.push({ first: next, last, importId: null });
  return spans;
}

/** The number of ids of imported messages from `first` to `last`. */
export const importedBetween = (reader: Reader, first: number, last: number): number =>
  importRanges(reader).reduce(
    (sum, range) => sum + Math.max(0, Math.min(last, range.last_id) - Math.max(first, range.first_id) + 1),
    0,
  );

function rangeOf(ranges: readonly ImportRange[], messageId: number): ImportRange | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as ImportRange).last_id < messageId) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range && range.first_id <= messageId ? range : undefined;
}
