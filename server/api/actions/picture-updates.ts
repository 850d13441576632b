import { withPictures } from "../../markdown/media.ts";
import type { StoredFile } from "../../media/files/stored-files.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { inlinePicture, pictureAt } from "../access/pictures.ts";
import { messagesAwaiting, thumbnailsOf } from "../queries/pictures.ts";
import { deleteFile } from "./files.ts";
import { changeRendering } from "./message-updates.ts";
import { failPicture } from "./pictures.ts";

/**
 * Exchanges the placeholders in these messages for the pictures that are ready, and removes those of pictures that
 * never will be. Their readers hear of it; to them it is no edit.
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

/** Forgets the picture of an upload that is deleted next. Returns the files of its thumbnails, which go afterwards. */
export function deletePicture(tx: Transaction, attachmentId: number): StoredFile[] {
  failPicture(tx, attachmentId);
  showPictures(tx, messagesAwaiting(tx, attachmentId));
  const files = [...thumbnailsOf(tx, attachmentId).values()];
  tx.run("DELETE FROM thumbnails WHERE attachment_id = ?", attachmentId);
  for (const file of files) deleteFile(tx, file);
  tx.run("DELETE FROM pictures WHERE attachment_id = ?", attachmentId);
  return files;
}
