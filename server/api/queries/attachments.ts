import type { Reader } from "../../storage/transaction.ts";
import { REALM_ID } from "./organization.ts";

/** An uploaded file. Times are milliseconds since the epoch, `size` is in bytes. */
export interface Attachment {
  id: number;
  user_id: number;
  /** The name of the stored file. */
  file: string;
  token: string;
  name: string;
  content_type: string;
  size: number;
  created_at: number;
  /** Null while a message uses it. */
  unclaimed_since: number | null;
}

const COLUMNS = "id, user_id, file, token, name, content_type, size, created_at, unclaimed_since";

export const attachmentById = (reader: Reader, id: number): Attachment | undefined =>
  reader.get<Attachment>(`SELECT ${COLUMNS} FROM attachments WHERE id = ?`, id);

export const attachmentByToken = (reader: Reader, token: string): Attachment | undefined =>
  reader.get<Attachment>(`SELECT ${COLUMNS} FROM attachments WHERE token = ?`, token);

/** Newest first. */
export const attachmentsOf = (reader: Reader, userId: number): Attachment[] =>
  reader.all<Attachment>(`SELECT ${COLUMNS} FROM attachments WHERE user_id = ? ORDER BY id DESC`, userId);

export interface HoldingMessage {
  id: number;
  sent_at: number;
}

/** The messages that use the file, oldest first. */
export const messagesHolding = (reader: Reader, attachmentId: number): HoldingMessage[] =>
  reader.all<HoldingMessage>(
    `SELECT m.id, m.sent_at FROM message_attachments h JOIN messages m ON m.id = h.message_id
     WHERE h.attachment_id = ? ORDER BY m.id`,
    attachmentId,
  );

/** The ids of the files that these messages use, ascending. */
export const attachmentsHeldBy = (reader: Reader, messageIds: readonly number[]): number[] =>
  reader.values<number>(
    `SELECT DISTINCT attachment_id AS id FROM message_attachments
       WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY attachment_id`,
    JSON.stringify(messageIds),
  );

/** The ids of the files that each of these messages uses, ascending. Messages without files are absent. */
export function attachmentsIn(reader: Reader, messageIds: readonly number[]): Map<number, number[]> {
  const held = new Map<number, number[]>();
  for (const { message, attachment } of reader.all<{ message: number; attachment: number }>(
    `SELECT message_id AS message, attachment_id AS attachment FROM message_attachments
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, attachment_id`,
    JSON.stringify(messageIds),
  )) {
    const ids = held.get(message);
    if (ids) ids.push(attachment);
    else held.set(message, [attachment]);
  }
  return held;
}

/** The size of all uploads of the organization, in bytes. */
export const uploadSpaceUsed = (reader: Reader): number =>
  reader.derived("upload space used", ["attachments"], (rows) =>
    Number(rows.value<number>("SELECT coalesce(sum(size), 0) FROM attachments")),
  );

/**
 * Files that no message has used since before that time, at most `max`. Excludes files in scheduled messages, drafts
 * and saved snippets. A URL has a slash after the first two letters of the token.
 */
export const unclaimedSince = (reader: Reader, before: number, max: number): Attachment[] =>
  reader.all<Attachment>(
    `SELECT ${COLUMNS} FROM attachments a WHERE unclaimed_since < ?
       AND NOT EXISTS (SELECT 1 FROM scheduled_messages WHERE instr(content, substr(a.token, 3)) > 0)
       AND NOT EXISTS (SELECT 1 FROM drafts WHERE instr(content, substr(a.token, 3)) > 0)
       AND NOT EXISTS (SELECT 1 FROM saved_snippets WHERE instr(content, substr(a.token, 3)) > 0)
     ORDER BY unclaimed_since, id LIMIT ?`,
    before,
    max,
  );

/** `1/T0/kEn…/name.txt`: the path after /user_uploads/ in its URL. Only the token identifies the file. */
export const pathIdOf = ({ token, name }: Pick<Attachment, "token" | "name">): string =>
  `${REALM_ID}/${token.slice(0, 2)}/${token.slice(2)}/${plainName(name)}`;

const PATH_ID = new RegExp(`^${REALM_ID}/([\\w-]{2})/([\\w-]{22})/[^/]*$`);

/** The token in a path id, even if clients changed the name after it; undefined if the path is malformed. */
export function tokenInPath(pathId: string): string | undefined {
  const [, start = "", rest = ""] = PATH_ID.exec(pathId) ?? [];
  return start === "" ? undefined : start + rest;
}

const MAX_PLAIN_NAME = 100;

/** A name for URLs: letters and digits of any script, so that Markdown and all clients handle it. */
function plainName(name: string): string {
  const plain = [
    ...name
      .normalize("NFKC")
      .replace(/[^\p{L}\p{M}\p{N}_.\s-]/gu, "")
      .replace(/\s+/g, "-"),
  ];
  const dot = plain.lastIndexOf(".");
  const ending = dot > 0 && plain.length - dot <= 10 ? plain.slice(dot) : [];
  const start = plain.slice(0, Math.min(plain.length - ending.length, MAX_PLAIN_NAME - ending.length));
  const short = [...start, ...ending].join("");
  return /^\.*$/.test(short) ? "file" : short;
}

const MAX_FILENAME = 200;

/** The displayed name, without folders and deceptive characters. */
export function shownName(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1);
  const plain = base
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "")
    .trim();
  if (/^\.*$/.test(plain)) return "file";
  const letters = [...plain];
  if (letters.length <= MAX_FILENAME) return plain;
  const ending = /\.[^.]{1,10}$/.exec(plain)?.[0] ?? "";
  return letters.slice(0, MAX_FILENAME - [...ending].length).join("") + ending;
}
