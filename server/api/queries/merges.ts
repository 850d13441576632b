import type { Reader } from "../../storage/transaction.ts";

/** An unfinished merge of an imported account into another account. */
export interface Merge {
  stub_id: number;
  user_id: number;
  started_by: number;
  /** Mentions in messages before this one are changed. */
  next_message_id: number;
}

const COLUMNS = "stub_id, user_id, started_by, next_message_id";

export const mergeOf = (reader: Reader, stubId: number): Merge | undefined =>
  reader.get<Merge>(`SELECT ${COLUMNS} FROM merges WHERE stub_id = ?`, stubId);

export const oldestMerge = (reader: Reader): number | undefined =>
  reader.value<number>("SELECT stub_id FROM merges ORDER BY started_at, stub_id LIMIT 1");

export const isImportRunning = (reader: Reader): boolean =>
  reader.value("SELECT id FROM imports WHERE state <> 'done' LIMIT 1") !== undefined;

/** Things of an imported account that a merge moves. */
export interface ImportedHistory {
  messages: number;
  reactions: number;
  conversations: number;
  channels: number;
}

export const importedHistory = (reader: Reader, stubId: number): ImportedHistory => {
  const count = (sql: string) => reader.value<number>(sql, stubId) ?? 0;
  return {
    messages: count("SELECT count(*) FROM messages WHERE sender_id = ?"),
    reactions: count("SELECT count(*) FROM reactions WHERE user_id = ?"),
    conversations: count("SELECT count(*) FROM conversation_members WHERE user_id = ?"),
    channels: count("SELECT count(*) FROM subscriptions WHERE user_id = ? AND subscribed = 1"),
  };
};
