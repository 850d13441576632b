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
