import { randomBytes } from "node:crypto";
import type { NewFile, StoredFile } from "../../media/files/stored-files.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { canRead, quotaExceeded, uploadSpaceLeft } from "../access/attachments.ts";
import { attachmentOnWire } from "../presenters/attachments.ts";
import {
  type Attachment,
  attachmentById,
  attachmentByToken,
  attachmentsHeldBy,
  tokenInPath,
  unclaimedSince,
  uploadSpaceUsed,
} from "../queries/attachments.ts";
import { type User, userById } from "../queries/users.ts";
import { deleteFile, recordFile } from "./files.ts";
import { deletePicture, type NewPicture, recordPicture } from "./pictures.ts";
import { insertRow } from "./rows.ts";

const WEEK_MS = 7 * 24 * 3_600_000;

/** 24 random characters. */
export const newAttachmentToken = (): string => randomBytes(18).toString("base64url");

export interface NewAttachment {
  file: NewFile;
  token: string;
  name: string;
  contentType: string;
  picture?: NewPicture | undefined;
  /** Milliseconds since the epoch. Now by default. */
  createdAt?: number;
}

/** Errors: REALM_UPLOAD_QUOTA if parallel uploads used the remaining space. */
export function createAttachment(tx: Transaction, owner: User, attachment: NewAttachment): Attachment {
  if (attachment.file.size > uploadSpaceLeft(tx)) throw quotaExceeded();
  return insertAttachment(tx, owner, attachment);
}

/** Does not check the upload quota. */
export function insertAttachment(
  tx: Transaction,
  owner: User,
  { file, token, name, contentType, picture, createdAt = tx.now }: NewAttachment,
): Attachment {
  recordFile(tx, file);
  const id = insertRow(tx, "attachments", {
    user_id: owner.id,
    file: file.name,
    token,
    name,
    content_type: contentType,
    size: file.size,
    created_at: createdAt,
    unclaimed_since: tx.now,
  });
  if (picture) recordPicture(tx, id, picture);
  const attachment = attachmentById(tx, id) as Attachment;
  announce(tx, "add", attachment);
  return attachment;
}

/** Messages keep their links, which no longer work. Returns files to remove after the transaction. */
export function deleteAttachment(tx: Transaction, attachment: Attachment): Pick<StoredFile, "kind" | "name">[] {
  const thumbnails = deletePicture(tx, attachment.id);
  tx.run("DELETE FROM message_attachments WHERE attachment_id = ?", attachment.id);
  tx.run("DELETE FROM attachments WHERE id = ?", attachment.id);
  deleteFile(tx, { name: attachment.file });
  tx.emit(
    { type: "attachment", op: "remove", attachment: { id: attachment.id }, upload_space_used: uploadSpaceUsed(tx) },
    { users: [attachment.user_id] },
  );
  return [{ kind: "attachments", name: attachment.file }, ...thumbnails];
}

/** Deletes at most `max` uploads that no message has used for a week. Returns their files. */
export const deleteUnusedAttachments = (tx: Transaction, max: number): Pick<StoredFile, "kind" | "name">[][] =>
  unclaimedSince(tx, tx.now - WEEK_MS, max).map((attachment) => deleteAttachment(tx, attachment));

/** Updates which uploads the message uses. A link to a file that the sender cannot read gives no access. */
export function updateAttachments(
  tx: Transaction,
  sender: User,
  { messageId, links, before = [] }: { messageId: number; links: readonly string[]; before?: readonly number[] },
): void {
  const held = new Set<number>();
  for (const token of new Set(links.map(tokenInLink))) {
    const attachment = token === undefined ? undefined : attachmentByToken(tx, token);
    if (!attachment) continue;
    const { id } = attachment;
    if (!before.includes(id) && !canRead(tx, sender, attachment)) continue;
    held.add(id);
    if (before.includes(id)) continue;
    insertRow(tx, "message_attachments", { attachment_id: id, message_id: messageId });
    if (attachment.unclaimed_since !== null) tx.run("UPDATE attachments SET unclaimed_since = NULL WHERE id = ?", id);
    announceChanged(tx, id);
  }
  for (const id of before) {
    if (held.has(id)) continue;
    tx.run("DELETE FROM message_attachments WHERE attachment_id = ? AND message_id = ?", id, messageId);
    release(tx, id);
  }
}

/** Call it before messages are deleted. Files that no other message uses are deleted a week later. */
export function releaseAttachments(tx: Transaction, messageIds: readonly number[]): void {
  const ids = attachmentsHeldBy(tx, messageIds);
  if (ids.length === 0) return;
  const list = JSON.stringify(messageIds);
  tx.run("DELETE FROM message_attachments WHERE message_id IN (SELECT value FROM json_each(?))", list);
  for (const id of ids) release(tx, id);
}

function release(tx: Transaction, id: number): void {
  if (tx.value("SELECT 1 FROM message_attachments WHERE attachment_id = ? LIMIT 1", id) === undefined)
    tx.run("UPDATE attachments SET unclaimed_since = ? WHERE id = ?", tx.now, id);
  announceChanged(tx, id);
}

/** `link`: as in rendered HTML, possibly escaped or with a query. */
function tokenInLink(link: string): string | undefined {
  const [, pathId = ""] = /^\/?user_uploads\/(?:download\/)?([^?#]*)/.exec(link) ?? [];
  return tokenInPath(pathId);
}

const announceChanged = (tx: Transaction, id: number): void =>
  announce(tx, "update", attachmentById(tx, id) as Attachment);

/** Sends nothing to a deactivated owner. */
function announce(tx: Transaction, op: "add" | "update", attachment: Attachment): void {
  if (!userById(tx, attachment.user_id)?.is_active) return;
  tx.emit(
    {
      type: "attachment",
      op,
      attachment: attachmentOnWire(tx, attachment),
      upload_space_used: uploadSpaceUsed(tx),
    },
    { users: [attachment.user_id] },
  );
}
