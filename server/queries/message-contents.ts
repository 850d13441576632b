import type { Rendered } from "../markdown/render.ts";
import type { Reader } from "../storage/transaction.ts";

/** Bits of `messages.holds` (storage/migrations/0007-message-search.ts). */
export const HOLDS = { link: 1, image: 2, attachment: 4 } as const;

export const holdsOf = ({ hasLink, hasImage, hasAttachment }: Rendered): number =>
  (hasLink ? HOLDS.link : 0) | (hasImage ? HOLDS.image : 0) | (hasAttachment ? HOLDS.attachment : 0);

/** What a message holds, as bits of HOLDS. */
export const storedHolds = (reader: Reader, messageId: number): number =>
  reader.value<number>("SELECT holds FROM messages WHERE id = ?", messageId) ?? 0;
