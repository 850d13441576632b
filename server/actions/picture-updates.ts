import { inlinePicture } from "../access/pictures.ts";
import { withPictures } from "../markdown/media.ts";
import { messagesAwaiting, type Picture, pictureByPath, thumbnailsOf } from "../queries/pictures.ts";
import type { Transaction } from "../storage/transaction.ts";
import { deleteFile } from "./files.ts";
import { changeRendering } from "./message-edits.ts";
import { failPicture } from "./pictures.ts";

/**
 * Exchanges the placeholders in these messages for the pictures that are ready, and removes those of pictures that
 * never will be. Their readers hear of it; to them it is no edit.
 */
export function showPictures(tx: Transaction, messageIds: readonly number[]): void {
  const show = (html: string) =>
    withPictures(html, (path) => {
      const picture = pictureByPath(tx, path);
      return picture && inlinePicture(tx, picture);
    });
  for (const id of messageIds) {
    changeRendering(tx, id, show);
    tx.run(
      `DELETE FROM messages_awaiting_pictures WHERE message_id = ?
         AND picture_id IN (SELECT id FROM pictures WHERE state <> 'waiting')`,
      id,
    );
  }
}

/**
 * Forgets a picture whose upload is deleted, with its thumbnails; returns their files, which are to be removed once this
 * is on disk (StoredFiles.remove).
 */
export function deletePicture(tx: Transaction, picture: Picture): { kind: "thumbnails"; name: string }[] {
  failPicture(tx, picture.id);
  showPictures(tx, messagesAwaiting(tx, picture.id));
  const files = [...thumbnailsOf(tx, picture.id).values()];
  tx.run("DELETE FROM thumbnails WHERE picture_id = ?", picture.id);
  for (const file of files) deleteFile(tx, file);
  tx.run("DELETE FROM pictures WHERE id = ?", picture.id);
  return files.map(({ name }) => ({ kind: "thumbnails", name }));
}
