import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { allCustomEmoji, type CustomEmoji } from "../queries/emoji.ts";
import { emojiPictureUrl, stillEmojiUrl } from "../queries/pictures.ts";
import { registerPart } from "./register-part.ts";

/** A custom emoji (docs/protocol.md#custom-emoji). */
export const wireEmoji = z.object({
  id: z.string(),
  name: z.string(),
  source_url: z.string().describe("Relative to the server."),
  still_url: z.string().nullable().describe("Picture without animation; null if the emoji is not animated."),
  deactivated: z.boolean().describe("If true, existing uses still show the emoji, but it cannot be used again."),
  author_id: z.int().nullable(),
});
export type WireEmoji = z.output<typeof wireEmoji>;

export const emojiOnWire = (emoji: CustomEmoji): WireEmoji => ({
  id: String(emoji.id),
  name: emoji.name,
  source_url: emojiPictureUrl(emoji),
  still_url: stillEmojiUrl(emoji),
  deactivated: emoji.deactivated,
  author_id: emoji.author_id,
});

/** By id, including deactivated ones. */
export const customEmojiOnWire = (reader: Reader): Record<string, WireEmoji> =>
  Object.fromEntries(allCustomEmoji(reader).map((emoji) => [String(emoji.id), emojiOnWire(emoji)]));

export const registerParts = {
  realm_emoji: registerPart({
    fields: { realm_emoji: z.record(z.string(), wireEmoji) },
    read: ({ reader }) => ({ realm_emoji: customEmojiOnWire(reader) }),
    // Messages in web-public channels show them. Their creators stay hidden.
    spectators: ({ reader }) => {
      const emoji = Object.entries(customEmojiOnWire(reader)).map(([id, one]) => [id, { ...one, author_id: null }]);
      return { realm_emoji: Object.fromEntries(emoji) };
    },
  }),
};
