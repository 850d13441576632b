import type { StoredFile } from "../../media/files/stored-files.ts";
import type { ImageFormat, ThumbnailFormat } from "../../media/images/tasks.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { CustomEmoji } from "./emoji.ts";
import { REALM_ID } from "./organization.ts";

/** An uploaded picture. */
export interface Picture {
  attachment_id: number;
  format: ImageFormat;
  /** In pixels, after rotation; null: not measured yet. */
  width: number | null;
  height: number | null;
  frames: number;
  state: "waiting" | "ready" | "failed";
  /** Number of started attempts to create thumbnails. */
  attempts: number;
}

export interface NamedFormat extends ThumbnailFormat {
  readonly name: string;
}

/** The thumbnail formats. The animated one is for animations only: docs/protocol.md#inline-pictures. */
export const THUMBNAIL_FORMATS: readonly NamedFormat[] = [
  { name: "840x560-anim.webp", max_width: 840, max_height: 560, format: "webp", animated: true },
  { name: "840x560.webp", max_width: 840, max_height: 560, format: "webp", animated: false },
];

/** The Content-Type of such a file. */
export const contentTypeOf = (format: ImageFormat): string => `image/${format}`;

const COLUMNS = "attachment_id, format, width, height, frames, state, attempts";

export const pictureOf = (reader: Reader, attachmentId: number): Picture | undefined =>
  reader.get(`SELECT ${COLUMNS} FROM pictures WHERE attachment_id = ?`, attachmentId);

export interface WaitingPicture extends Picture {
  /** The uploader, or a bot's owner. */
  person: number;
}

/** Each person's oldest picture without thumbnails, oldest first. */
export const nextPictures = (reader: Reader): WaitingPicture[] =>
  reader.all(
    `SELECT ${COLUMNS}, person FROM pictures JOIN (
       SELECT coalesce(u.bot_owner_id, u.id) AS person, min(p.attachment_id) AS attachment_id
       FROM pictures p JOIN attachments a ON a.id = p.attachment_id JOIN users u ON u.id = a.user_id
       WHERE p.state = 'waiting' GROUP BY person
     ) USING (attachment_id) ORDER BY attachment_id`,
  );

/** Messages with a placeholder for a picture that is ready or has failed; at most `max`, ascending. */
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

/** By name of the format. */
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

/** The data behind the URL of a user's picture. */
export interface Avatar {
  /** The current or previous user of the picture. */
  user_id: number;
  /** The file of the larger picture; null after the picture was replaced. */
  medium: string | null;
}

export const avatarAt = (reader: Reader, token: string): Avatar | undefined =>
  reader.get("SELECT user_id, medium FROM avatars WHERE token = ?", token);

// The path of pictures, relative to the server. Public clients rely on it: docs/protocol.md#pictures.

export const UPLOADED = `/user_avatars/${REALM_ID}`;

export const emojiPictureUrl = ({ file, extension }: Pick<CustomEmoji, "file" | "extension">): string =>
  `${UPLOADED}/emoji/images/${file}.${extension}`;

/** The still picture; null if the emoji is not animated. */
export const stillEmojiUrl = ({ file, still }: Pick<CustomEmoji, "file" | "still">): string | null =>
  still === null ? null : `${UPLOADED}/emoji/images/still/${file}-still.png`;

/** `name` is one of EXTRA_EMOJI. */
export const extraEmojiUrl = (name: string): string => `/static/generated/emoji/images/emoji/unicode/${name}.png`;
