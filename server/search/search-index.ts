import { messageCounts } from "../api/queries/message-index.ts";
import { WORDS_VERSION } from "../markdown/matches.ts";
import type { Reader } from "../storage/transaction.ts";

/** The last indexed message and edit: the row of `message_search_state`. */
export interface SearchState {
  message_id: number;
  edit_id: number;
  documents: number;
  version: number;
}

const EMPTY: SearchState = { message_id: 0, edit_id: 0, documents: 0, version: WORDS_VERSION };

/** Whether SQLite reports a damaged index by this error. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && error.message === "database disk image is malformed";

/** Reset when the index is rebuilt, since that writes `message_search_state`. */
const damageOf = (reader: Reader): { found: boolean } =>
  reader.derived("search index damage", ["message_search_state"], () => ({ found: false }));
export const isIndexDamaged = (reader: Reader): boolean => damageOf(reader).found;
/** Stops the use of the index; the next indexing slice rebuilds it. */
export const recordDamage = (reader: Reader): void => {
  damageOf(reader).found = true;
};

/** Undefined: the index cannot be used. */
export const storedSearchState = (reader: Reader): SearchState | undefined => {
  if (isIndexDamaged(reader)) return undefined;
  const state = reader.derived("search state", ["message_search_state"], (rows) =>
    rows.get<SearchState>("SELECT message_id, edit_id, documents, version FROM message_search_state"),
  );
  return state?.version === WORDS_VERSION ? state : undefined;
};

export const searchState = (reader: Reader): SearchState => storedSearchState(reader) ?? EMPTY;

/** About how many messages and edits the index lacks. */
export function unindexed(reader: Reader): number {
  const { message_id, edit_id } = searchState(reader);
  const message = reader.value<number | null>("SELECT max(id) FROM messages") ?? 0;
  const edit = reader.value<number | null>("SELECT max(id) FROM message_edits") ?? 0;
  // While nothing is indexed, edits are indexed with their messages.
  return Math.max(0, message - message_id) + (message_id === 0 ? 0 : Math.max(0, edit - edit_id));
}

/** Above this number, a search is not possible yet. Below it, the search scans these messages itself. */
const MAX_UNINDEXED = 2000;
export const isSearchReady = (reader: Reader): boolean => unindexed(reader) <= MAX_UNINDEXED;

/** The number of indexed documents whose message no longer exists. */
export const staleDocuments = (reader: Reader): number => {
  const { message_id, documents } = searchState(reader);
  const newer = reader.value<number>("SELECT COUNT(*) FROM messages WHERE id > ?", message_id) ?? 0;
  return documents - (messageCounts(reader).messages - newer);
};
