import type { Reader } from "../../storage/transaction.ts";
import { sumForPerson, type User } from "./users.ts";

/** Unicode code points. */
export const MAX_SNIPPET_TITLE_LENGTH = 60;

/** A text that a user saved for reuse. */
export interface SavedSnippet {
  id: number;
  title: string;
  content: string;
  /** Milliseconds since the epoch. */
  created_at: number;
}

/** Limit for a person and their bots together. */
export const MAX_SAVED_SNIPPETS = 1000;
export const savedSnippetCount = (reader: Reader, user: User): number =>
  sumForPerson(reader, user, "SELECT COUNT(*) FROM saved_snippets WHERE user_id IN (SELECT value FROM json_each(?))");

/** Limit of the characters in one person's snippets together, since /register sends all of them. */
export const MAX_SNIPPETS_LENGTH = 1_000_000;
export const savedSnippetsLength = (reader: Reader, user: User): number =>
  sumForPerson(
    reader,
    user,
    "SELECT SUM(length(content)) FROM saved_snippets WHERE user_id IN (SELECT value FROM json_each(?))",
  );

/** The user's own snippets, oldest first. */
export const savedSnippetsOf = (reader: Reader, user: User): SavedSnippet[] =>
  reader.all("SELECT id, title, content, created_at FROM saved_snippets WHERE user_id = ? ORDER BY id", user.id);

export const savedSnippetOf = (reader: Reader, user: User, id: number): SavedSnippet | undefined =>
  reader.get("SELECT id, title, content, created_at FROM saved_snippets WHERE id = ? AND user_id = ?", id, user.id);
