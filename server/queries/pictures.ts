import type { StoredFile } from "../files/stored-files.ts";
import type { ImageFormat, ThumbnailFormat } from "../images/tasks.ts";
import type { Reader } from "../storage/transaction.ts";

export interface Picture {
  id: number;
  /** Of the upload: what follows `/user_uploads/` in its address. */
  path: string;
  /** The name of the upload's file. */
  file_name: string;
  format: ImageFormat;
  /** In pixels, as it is looked at; null: not measured yet. */
  width: number | null;
  height: number | null;
  frames: number;
  state: "waiting" | "ready" | "failed";
  /** How often making its thumbnails has begun. */
  attempts: number;
}

export interface NamedFormat extends ThumbnailFormat {
  readonly name: string;
}

/** The thumbnails that are made, the animated one of animations only: docs/protocol.md#inline-pictures. */
export const THUMBNAIL_FORMATS: readonly NamedFormat[] = [
  { name: "840x560-anim.webp", max_width: 840, max_height: 560, format: "webp", animated: true },
  { name: "840x560.webp", max_width: 840, max_height: 560, format: "webp", animated: false },
];

/** What a browser is told that such a file is. */
export const contentTypeOf = (format: ImageFormat): string => `image/${format}`;

const COLUMNS = "id, path, file_name, format, width, height, frames, state, attempts";

export const pictureByPath = (reader: Reader, path: string): Picture | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM pictures WHERE path = ?`, path);

export const pictureById = (reader: Reader, id: number): Picture | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM pictures WHERE id = ?`, id);

/** The oldest picture without thumbnails. */
export const nextPicture = (reader: Reader): Picture | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM pictures WHERE state = 'waiting' ORDER BY id LIMIT 1`);

/** Messages that still show a placeholder of a picture that is ready, or never will be; at most `max`, ascending. */
export const messagesToShowPictures = (reader: Reader, max: number): number[] =>
  reader
    .all<{ id: number }>(
      `SELECT DISTINCT message_id AS id FROM messages_awaiting_pictures JOIN pictures ON pictures.id = picture_id
       WHERE state <> 'waiting' ORDER BY message_id LIMIT ?`,
      max,
    )
    .map(({ id }) => id);

export const messagesAwaiting = (reader: Reader, pictureId: number): number[] =>
  reader
    .all<{ id: number }>(
      "SELECT message_id AS id FROM messages_awaiting_pictures WHERE picture_id = ? ORDER BY message_id",
      pictureId,
    )
    .map(({ id }) => id);

/** By the names of their formats. */
export const thumbnailsOf = (reader: Reader, pictureId: number): ReadonlyMap<string, StoredFile> =>
  new Map(
    reader
      .all<StoredFile & { format: string }>(
        `SELECT thumbnails.name AS format, files.kind, files.name, files.size FROM thumbnails
           JOIN files ON files.name = file_name WHERE picture_id = ? ORDER BY thumbnails.name`,
        pictureId,
      )
      .map(({ format, ...file }) => [format, file]),
  );
