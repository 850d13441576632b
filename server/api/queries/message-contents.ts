import { escapeHtml } from "../../markdown/plain.ts";
import type { Rendered } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";

/** Bits of `messages.holds` (storage/migrations/0007-message-search.ts). */
export const HOLDS = { link: 1, image: 2, attachment: 4 } as const;

export const holdsOf = ({ hasLink, hasImage, hasAttachment }: Rendered): number =>
  (hasLink ? HOLDS.link : 0) | (hasImage ? HOLDS.image : 0) | (hasAttachment ? HOLDS.attachment : 0);

/** What a message holds, as bits of HOLDS. */
export const storedHolds = (reader: Reader, messageId: number): number =>
  reader.value<number>("SELECT holds FROM messages WHERE id = ?", messageId) ?? 0;

/** In messages.rendered_content: the HTML is that of the text as one paragraph without markup. No HTML begins like this. */
const UNFORMATTED = "=";
const unformattedHtml = (text: string): string => `<p>${escapeHtml(text).replaceAll("\n", "<br>\n")}</p>`;

/** A message's HTML as messages.rendered_content has it: most messages are plain text, and would be stored twice. */
export const storedHtml = (text: string, html: string): string => (html === unformattedHtml(text) ? UNFORMATTED : html);

/** The HTML of a message with this text, from what messages.rendered_content has. */
export const htmlOf = (text: string, stored: string): string =>
  stored === UNFORMATTED ? unformattedHtml(text) : stored;
