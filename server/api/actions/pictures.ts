import { withPictures } from "../../markdown/media.ts";
import type { NewFile, StoredFile } from "../../media/files/stored-files.ts";
import type { ImageFormat, ImageInfo } from "../../media/images/tasks.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { inlinePicture, pictureAt } from "../access/pictures.ts";
import { messagesAwaiting, thumbnailsOf } from "../queries/pictures.ts";
import { deleteFile, recordFile } from "./files.ts";
import { changeRendering } from "./message-updates.ts";
import { insertRow } from "./rows.ts";

/** `info`: undefined if the picture is not measured yet. */
export interface NewPicture {
  format: ImageFormat;
  info: ImageInfo | undefined;
}

/** Thumbnails are created later. */
export function recordPicture(tx: Transaction, attachmentId: number, { format, info }: NewPicture): void {
  insertRow(tx, "pictures", {
    attachment_id: attachmentId,
    format,
    width: info?.width ?? null,
    height: info?.height ?? null,
    frames: info?.frames ?? 1,
  });
}

/** Call it before each attempt, so that a picture that crashes the server is not tried forever. */
export function noteAttempt(tx: Transaction, attachmentId: number): void {
  tx.run("UPDATE pictures SET attempts = attempts + 1 WHERE attachment_id = ?", attachmentId);
}

/** Call it in the transaction of StoredFiles.store. */
export function completePicture(
  tx: Transaction,
  attachmentId: number,
  { width, height, frames }: ImageInfo,
  thumbnails: readonly { name: string; file: NewFile }[],
): void {
  for (const { name, file } of thumbnails) {
    recordFile(tx, file);
    insertRow(tx, "thumbnails", { attachment_id: attachmentId, name, file: file.name });
  }
  tx.run(
    "UPDATE pictures SET state = 'ready', width = ?, height = ?, frames = ? WHERE attachment_id = ?",
    width,
    height,
    frames,
    attachmentId,
  );
}

/** The file is not a picture, or is too large to decode. Messages only link to it. */
export function failPicture(tx: Transaction, attachmentId: number): void {
  tx.run("UPDATE pictures SET state = 'failed' WHERE attachment_id = ?", attachmentId);
}

/** `paths`: `awaitsPictures` of the rendered message. */
export function awaitPictures(tx: Transaction, messageId: number, paths: readonly string[]): void {
  for (const path of paths) {
    const picture = pictureAt(tx, path);
    if (!picture) continue;
    tx.run(
      `INSERT INTO messages_awaiting_pictures (attachment_id, message_id) VALUES (?, ?)
       ON CONFLICT (attachment_id, message_id) DO NOTHING`,
      picture.attachment_id,
      messageId,
    );
  }
}

/**
 * Replaces placeholders with pictures that are ready, and removes placeholders of failed ones. Readers get an event,
 * but it does not count as an edit.
 */
export function showPictures(tx: Transaction, messageIds: readonly number[]): void {
  const show = (html: string) =>
    withPictures(html, (path) => {
      const picture = pictureAt(tx, path);
      return picture && inlinePicture(tx, picture);
    });
  for (const id of messageIds) {
    changeRendering(tx, id, show);
    tx.run(
      `DELETE FROM messages_awaiting_pictures WHERE message_id = ?
         AND attachment_id IN (SELECT attachment_id FROM pictures WHERE state <> 'waiting')`,
      id,
    );
  }
}

/** Call it before the upload is deleted. Returns files to remove after the transaction. */
export function deletePicture(tx: Transaction, attachmentId: number): StoredFile[] {
  failPicture(tx, attachmentId);
  showPictures(tx, messagesAwaiting(tx, attachmentId));
  const files = [...thumbnailsOf(tx, attachmentId).values()];
  tx.run("DELETE FROM thumbnails WHERE attachment_id = ?", attachmentId);
  for (const file of files) deleteFile(tx, file);
  tx.run("DELETE FROM pictures WHERE attachment_id = ?", attachmentId);
  return files;
}
