import type { Reader } from "../../storage/transaction.ts";
import { userSetting } from "./user-settings.ts";
import { sumForPerson, type User } from "./users.ts";

/** An unsent message. */
export interface StoredDraft {
  id: number;
  /** Empty: no recipient yet. */
  type: "" | "stream" | "private";
  to: number[];
  topic: string;
  content: string;
  /** Milliseconds since the epoch, rounded to seconds. */
  edited_at: number;
}

type Row = Omit<StoredDraft, "to"> & { recipients: string };

const COLUMNS = "id, type, recipients, topic, content, edited_at";

const fromRow = ({ recipients, ...row }: Row): StoredDraft => ({ ...row, to: JSON.parse(recipients) });

/** Limit for a person and their bots together. */
export const MAX_DRAFTS = 1000;
export const draftCount = (reader: Reader, user: User): number =>
  sumForPerson(reader, user, "SELECT COUNT(*) FROM drafts WHERE user_id IN (SELECT value FROM json_each(?))");

/**
 * Limit of the characters in one person's drafts and their recipient lists together, since /register sends all of them.
 */
export const MAX_DRAFTS_LENGTH = 1_000_000;
export const draftsLength = (reader: Reader, user: User): number =>
  sumForPerson(
    reader,
    user,
    "SELECT SUM(length(content) + length(recipients)) FROM drafts WHERE user_id IN (SELECT value FROM json_each(?))",
  );

/** The user's own drafts, most recently edited first. */
export const draftsOf = (reader: Reader, user: User, limit = -1): StoredDraft[] =>
  reader
    .all<Row>(
      `SELECT ${COLUMNS} FROM drafts WHERE user_id = ? ORDER BY edited_at DESC, id DESC LIMIT ?`,
      user.id,
      limit,
    )
    .map(fromRow);

export function draftOf(reader: Reader, user: User, id: number): StoredDraft | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM drafts WHERE id = ? AND user_id = ?`, id, user.id);
  return row && fromRow(row);
}

/** Whether the user's clients store their drafts on the server. */
export const syncsDrafts = (reader: Reader, user: User): boolean =>
  userSetting(reader, user.id, "enable_drafts_synchronization");
