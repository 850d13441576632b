import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";

/** The public and the neutral name of one type (docs/protocol.md#reactions). */
export const EXTRA_EMOJI_TYPES = ["zulip_extra_emoji", "service_extra_emoji"] as const;
/** Emoji that are no characters and nobody's own; their code is their name. The second is how public clients know the first. */
export const EXTRA_EMOJI: ReadonlySet<string> = new Set(["hearth", "zulip"]);
export const REACTION_TYPES = ["unicode_emoji", "realm_emoji", ...EXTRA_EMOJI_TYPES] as const;
export type ReactionType = (typeof REACTION_TYPES)[number];

export const wireReaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(REACTION_TYPES),
  user_id: z.int(),
});
export type WireReaction = z.output<typeof wireReaction>;

/** Reactions by message, oldest first; messages without any are absent. */
export function reactionsTo(reader: Reader, messageIds: readonly number[]): Map<number, WireReaction[]> {
  const found = reader.all<WireReaction & { message_id: number }>(
    `SELECT message_id, emoji_name, emoji_code, reaction_type, user_id FROM reactions
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );
  const reactions = new Map<number, WireReaction[]>();
  for (const { message_id, ...reaction } of found) {
    const list = reactions.get(message_id);
    if (list) list.push(reaction);
    else reactions.set(message_id, [reaction]);
  }
  return reactions;
}

export const hasReactions = (reader: Reader, messageId: number): boolean =>
  reader.value("SELECT 1 FROM reactions WHERE message_id = ? LIMIT 1", messageId) !== undefined;
