import type { CustomEmoji } from "./emoji.ts";
import { REALM_ID } from "./organization.ts";

// Where pictures are served, relative to the server, as public clients know it: docs/protocol.md#pictures.

export const UPLOADED = `/user_avatars/${REALM_ID}`;

export const emojiPictureUrl = ({ file, extension }: Pick<CustomEmoji, "file" | "extension">): string =>
  `${UPLOADED}/emoji/images/${file}.${extension}`;

/** A picture that does not move; null where the emoji does not either. */
export const stillEmojiUrl = ({ file, still }: Pick<CustomEmoji, "file" | "still">): string | null =>
  still === null ? null : `${UPLOADED}/emoji/images/still/${file}-still.png`;

/** `name` is one of EXTRA_EMOJI. */
export const extraEmojiUrl = (name: string): string => `/static/generated/emoji/images/emoji/unicode/${name}.png`;
