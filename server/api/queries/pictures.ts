import type { StoredFile } from "../../media/files/stored-files.ts";
import type { ImageFormat, ThumbnailFormat } from "../../media/images/tasks.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { CustomEmoji } from "./emoji.ts";
import { REALM_ID } from "./organization.ts";

/** An upload that is a picture. */
export interface Picture {
  attachment_id: number;
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

const COLUMNS = "attachment_id, format, width, height, frames, state, attempts";

export const pictureOf = (reader: Reader, attachmentId: number): Picture | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM pictures WHERE attachment_id = ?`, attachmentId);

export interface WaitingPicture extends Picture {
  /** Who uploaded it; for a bot its owner. */
  person: number;
}

/** The oldest picture without thumbnails of each person who has any, the oldest first. */
export const nextPictures = (reader: Reader): WaitingPicture[] =>
  reader.all(
    `SELECT ${COLUMNS}, person FROM pictures JOIN (
       SELECT coalesce(u.bot_owner_id, u.id) AS person, min(p.attachment_id) AS attachment_id
       FROM pictures p JOIN attachments a ON a.id = p.attachment_id JOIN users u ON u.id = a.user_id
       WHERE p.state = 'waiting' GROUP BY person
     ) USING (attachment_id) ORDER BY attachment_id`,
  );

/** Messages that still show a placeholder of a picture that is ready, or never will be; at most `max`, ascending. */
export const messagesToShowPictures = (reader: Reader, max: number): number[] =>
  reader.values<number>(
    `SELECT DISTINCT message_id AS id FROM messages_awaiting_pictures a JOIN pictures p USING (attachment_id)
       WHERE p.state <> 'waiting' ORDER BY message_id LIMIT ?`,
    max,
  );

export const messagesAwaiting = (reader: Reader, attachmentId: number): number[] =>
  reader.values<number>(
    "SELECT message_id AS id FROM messages_awaiting_pictures WHERE attachment_id = ? ORDER BY message_id",
    attachmentId,
  );

/** By the names of their formats. */
export const thumbnailsOf = (reader: Reader, attachmentId: number): ReadonlyMap<string, StoredFile> =>
  new Map(
    reader
      .all<StoredFile & { format: string }>(
        `SELECT t.name AS format, f.kind, f.name, f.size FROM thumbnails t JOIN files f ON f.name = t.file
         WHERE t.attachment_id = ? ORDER BY t.name`,
        attachmentId,
      )
      .map(({ format, ...file }) => [format, file]),
  );

/** What is known of an address of somebody's picture. */
export interface Avatar {
  /** Whose picture is, or was, there. */
  user_id: number;
  /** The larger picture's file; null once the picture was replaced. */
  medium: string | null;
}

export const avatarAt = (reader: Reader, token: string): Avatar | undefined =>
  reader.get("SELECT user_id, medium FROM avatars WHERE token = ?", token);

// Where pictures are served, relative to the server, as public clients know it: docs/protocol.md#pictures.

export const UPLOADED = `/user_avatars/${REALM_ID}`;

export const emojiPictureUrl = ({ file, extension }: Pick<CustomEmoji, "file" | "extension">): string =>
  `${UPLOADED}/emoji/images/${file}.${extension}`;

/** A picture that does not move; null where the emoji does not either. */
export const stillEmojiUrl = ({ file, still }: Pick<CustomEmoji, "file" | "still">): string | null =>
  still === null ? null : `${UPLOADED}/emoji/images/still/${file}-still.png`;

/** `name` is one of EXTRA_EMOJI. */
export const extraEmojiUrl = (name: string): string => `/static/generated/emoji/images/emoji/unicode/${name}.png`;
