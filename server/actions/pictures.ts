import type { StoredFile } from "../files/stored-files.ts";
import type { ImageFormat, ImageInfo } from "../images/tasks.ts";
import { pictureByPath } from "../queries/pictures.ts";
import type { Transaction } from "../storage/transaction.ts";
import { recordFile } from "./files.ts";

/** Notes that an upload is a picture, whose thumbnails are then made. `info`: undefined where it is not measured yet. */
export function recordPicture(
  tx: Transaction,
  { path, file, format, info }: { path: string; file: StoredFile; format: ImageFormat; info: ImageInfo | undefined },
): void {
  tx.run(
    "INSERT INTO pictures (path, file_name, format, width, height, frames) VALUES (?, ?, ?, ?, ?, ?)",
    path,
    file.name,
    format,
    info?.width ?? null,
    info?.height ?? null,
    info?.frames ?? 1,
  );
}

/** Written before an attempt, so that a picture that ends the server is not tried for ever. */
export function noteAttempt(tx: Transaction, id: number): void {
  tx.run("UPDATE pictures SET attempts = attempts + 1 WHERE id = ?", id);
}

/** Called in the transaction of StoredFiles.store. */
export function completePicture(
  tx: Transaction,
  id: number,
  { width, height, frames }: ImageInfo,
  thumbnails: readonly { name: string; file: StoredFile }[],
): void {
  for (const { name, file } of thumbnails) {
    recordFile(tx, file);
    tx.run("INSERT INTO thumbnails (picture_id, name, file_name) VALUES (?, ?, ?)", id, name, file.name);
  }
  tx.run(
    "UPDATE pictures SET state = 'ready', width = ?, height = ?, frames = ? WHERE id = ?",
    width,
    height,
    frames,
    id,
  );
}

/** It is no picture after all, or too much for the decoder: messages link to it only. */
export function failPicture(tx: Transaction, id: number): void {
  tx.run("UPDATE pictures SET state = 'failed' WHERE id = ?", id);
}

/** Remembers for which pictures a message shows placeholders. `paths`: `awaitsPictures` of its rendering. */
export function awaitPictures(tx: Transaction, messageId: number, paths: readonly string[]): void {
  for (const path of paths) {
    const picture = pictureByPath(tx, path);
    if (!picture) continue;
    tx.run(
      `INSERT INTO messages_awaiting_pictures (picture_id, message_id) VALUES (?, ?)
       ON CONFLICT (picture_id, message_id) DO NOTHING`,
      picture.id,
      messageId,
    );
  }
}
