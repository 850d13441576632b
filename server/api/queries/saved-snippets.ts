import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { accountsTogether, type User } from "./users.ts";

/** Unicode code points. */
export const MAX_SNIPPET_TITLE_LENGTH = 60;

/** A text that somebody saved for reuse (docs/protocol.md#other-records). */
export const wireSavedSnippet = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
});
export type WireSavedSnippet = z.output<typeof wireSavedSnippet>;

type Row = Omit<WireSavedSnippet, "date_created"> & { created_at: number };

const onWire = ({ created_at, ...row }: Row): WireSavedSnippet => ({
  ...row,
  date_created: Math.floor(created_at / 1000),
});

/** Of a person and their bots together. */
export const MAX_SAVED_SNIPPETS = 1000;
export const savedSnippetCount = (reader: Reader, user: User): number =>
  reader.value<number>(
    "SELECT COUNT(*) FROM saved_snippets WHERE user_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(accountsTogether(reader, user.id)),
  ) ?? 0;

/** Characters of all contents of one person together: /register sends them all. */
export const MAX_SNIPPETS_LENGTH = 1_000_000;
export const savedSnippetsLength = (reader: Reader, user: User): number =>
  reader.value<number>(
    "SELECT SUM(length(content)) FROM saved_snippets WHERE user_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(accountsTogether(reader, user.id)),
  ) ?? 0;

/** The user's own, oldest first. */
export const savedSnippetsOf = (reader: Reader, user: User): WireSavedSnippet[] =>
  reader
    .all<Row>("SELECT id, title, content, created_at FROM saved_snippets WHERE user_id = ? ORDER BY id", user.id)
    .map(onWire);

export function savedSnippetOf(reader: Reader, user: User, id: number): WireSavedSnippet | undefined {
  const sql = "SELECT id, title, content, created_at FROM saved_snippets WHERE id = ? AND user_id = ?";
  const row = reader.get<Row>(sql, id, user.id);
  return row && onWire(row);
}
