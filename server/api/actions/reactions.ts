import { ApiError, badRequest, problem, refusedParameter, shortened } from "../../errors.ts";
import { EXTRA_EMOJI, emojiByName, isNameOf, namesOfCode } from "../../markdown/emoji.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { apiEmail, standInEmail } from "../access/email-visibility.ts";
import { type MessageVisibility, usersWhoCanRead } from "../access/messages.ts";
import { usersWhoCannotSee } from "../access/people.ts";
import { HIDDEN_NAME } from "../presenters/users.ts";
import {
  customEmojiById,
  customEmojiByName,
  EXTRA_EMOJI_TYPES,
  REACTION_TYPES,
  type ReactionType,
} from "../queries/emoji.ts";
import { messageIndex } from "../queries/message-index.ts";
import type { MessageRow, Reaction } from "../queries/messages.ts";
import { FLAG, flagsOf } from "../queries/read-state.ts";
import type { User } from "../queries/users.ts";
import { writeFlags } from "./message-flags.ts";
import { insertRow } from "./rows.ts";
import { policyAfterTakingPart } from "./topics.ts";

type EmojiOfReaction = Pick<Reaction, "emoji_name" | "emoji_code" | "reaction_type">;

/** Missing parts follow from the others. */
interface NamedEmoji {
  name?: string | undefined;
  code?: string | undefined;
  type?: string | undefined;
}

const isExtra = (type: ReactionType): boolean => (EXTRA_EMOJI_TYPES as readonly string[]).includes(type);

/** All names of extra emoji refer to the same emoji. */
const isSame = (a: EmojiOfReaction, b: Omit<EmojiOfReaction, "emoji_name">): boolean =>
  (a.emoji_code === b.emoji_code && a.reaction_type === b.reaction_type) ||
  (isExtra(a.reaction_type) && isExtra(b.reaction_type));

function typeNamed(type: string | undefined): ReactionType | undefined {
  if (type === undefined) return undefined;
  const valid = REACTION_TYPES.find((name) => name === type);
  if (!valid) throw badRequest("invalid_emoji_type", { values: REACTION_TYPES.join(", ") });
  return valid;
}

/** The organization's own emoji take precedence. */
function emojiNamed(reader: Reader, name: string, type: ReactionType | undefined): EmojiOfReaction | undefined {
  const found = (emoji_code: string, reaction_type: ReactionType) => ({ emoji_name: name, emoji_code, reaction_type });
  const custom = type === undefined || type === "realm_emoji" ? customEmojiByName(reader, name) : undefined;
  if (custom) return found(String(custom.id), "realm_emoji");
  if ((type === undefined || isExtra(type)) && EXTRA_EMOJI.has(name)) return found(name, type ?? "zulip_extra_emoji");
  const unicode = type === undefined || type === "unicode_emoji" ? emojiByName(name) : undefined;
  return unicode && found(unicode.code, "unicode_emoji");
}

const noEmojiNamed = (name: string) => badRequest("emoji_not_found", { name: shortened(name) });

/** Throws if the emoji does not exist or the name does not match the code. */
function assertExists(
  reader: Reader,
  { emoji_name: name, emoji_code: code, reaction_type: type }: EmojiOfReaction,
): void {
  if (type === "realm_emoji") {
    const custom = /^[1-9]\d{0,14}$/.test(code) ? customEmojiById(reader, Number(code)) : undefined;
    if (!custom) throw badRequest("invalid_custom_emoji");
    if (custom.name !== name) throw badRequest("invalid_custom_emoji_name");
    if (custom.deactivated) throw badRequest("custom_emoji_deactivated");
    return;
  }
  const exists = isExtra(type) ? EXTRA_EMOJI.has(code) : namesOfCode(code).length > 0;
  if (!exists) throw badRequest("invalid_emoji_code");
  const isItsName = isExtra(type) ? name === code : isNameOf(name, code);
  if (!isItsName) throw badRequest("invalid_emoji_name");
}

function emojiToAdd(reader: Reader, named: NamedEmoji & { name: string }): EmojiOfReaction {
  const { name, code } = named;
  const type = typeNamed(named.type);
  if (code !== undefined && type !== undefined) return { emoji_name: name, emoji_code: code, reaction_type: type };
  const emoji = emojiNamed(reader, name, type);
  if (!emoji) throw noEmojiNamed(name);
  return { ...emoji, emoji_code: code ?? emoji.emoji_code };
}

/** Errors: BAD_REQUEST if the emoji does not exist. */
export function existingEmoji(reader: Reader, named: NamedEmoji & { name: string }): EmojiOfReaction {
  const emoji = emojiToAdd(reader, named);
  assertExists(reader, emoji);
  return emoji;
}

/** Different reactions per message. Every reader gets all of them. */
const MAX_REACTIONS = 100;

export function addReaction(
  tx: Transaction,
  actor: User,
  { row, visibility }: { row: MessageRow; visibility: MessageVisibility },
  named: NamedEmoji & { name: string },
): void {
  const requested = emojiToAdd(tx, named);
  const others = row.reactions.filter((reaction) => isSame(reaction, requested));
  if (others.some((reaction) => reaction.user_id === actor.id)) {
    throw new ApiError("REACTION_ALREADY_EXISTS", problem("reaction_already_exists"));
  }
  // Later reactions use the name of the first, so that an emoji is not counted under two names. This also works after
  // the emoji was removed.
  const [first] = others;
  if (!first) {
    assertExists(tx, requested);
    const different = new Set(row.reactions.map((one) => `${one.reaction_type} ${one.emoji_code}`)).size;
    if (different >= MAX_REACTIONS)
      throw refusedParameter("emoji_name", "too_many_reactions", { count: MAX_REACTIONS });
  }
  const { emoji_name, emoji_code, reaction_type } = first ?? requested;
  insertRow(tx, "reactions", { message_id: row.id, user_id: actor.id, emoji_name, emoji_code, reaction_type });
  if (!visibility.isOwnHistory(row.id)) {
    const flags = flagsOf(tx, actor.id, [row.id]).get(row.id) ?? 0;
    writeFlags(tx, actor.id, row.id, flags | FLAG.historical);
  }
  announce(tx, actor, row, "add", { emoji_name, emoji_code, reaction_type });
  policyAfterTakingPart(tx, actor, row);
}

/** Finds the actor's reaction by its code or, without a code, by its name. */
export function removeReaction(tx: Transaction, actor: User, { row }: { row: MessageRow }, named: NamedEmoji): void {
  const own = row.reactions.filter((reaction) => reaction.user_id === actor.id);
  const reaction = own.find(reactionNamed(tx, own, named));
  if (!reaction) throw new ApiError("REACTION_DOES_NOT_EXIST", problem("reaction_not_found"));
  const { emoji_name, emoji_code, reaction_type } = reaction;
  tx.run(
    "DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?",
    row.id,
    actor.id,
    reaction_type,
    emoji_code,
  );
  announce(tx, actor, row, "remove", { emoji_name, emoji_code, reaction_type });
}

function reactionNamed(
  reader: Reader,
  own: readonly Reaction[],
  { name, code, type: typeGiven }: NamedEmoji,
): (reaction: Reaction) => boolean {
  const type = typeNamed(typeGiven);
  if (code !== undefined) {
    return (reaction) => isSame(reaction, { emoji_code: code, reaction_type: type ?? "unicode_emoji" });
  }
  if (name === undefined) throw badRequest("emoji_missing");
  const emoji = emojiNamed(reader, name, type);
  if (emoji && own.some((reaction) => isSame(reaction, emoji))) return (reaction) => isSame(reaction, emoji);
  // The emoji with that name may have been removed or replaced.
  const typeOfName = type ?? emoji?.reaction_type;
  const hasName = ({ emoji_name, reaction_type }: Reaction) =>
    emoji_name === name && (typeOfName === undefined || reaction_type === typeOfName);
  if (!emoji && !own.some(hasName)) throw noEmojiNamed(name);
  return hasName;
}

function announce(tx: Transaction, actor: User, row: MessageRow, op: "add" | "remove", emoji: EmojiOfReaction): void {
  const index = messageIndex(tx);
  tx.afterCommit(() => index.rows.delete(row.id));
  const { id: user_id, full_name } = actor;
  const from = row.channel_id === null ? [] : usersWhoCannotSee(tx, actor);
  const as = { email: standInEmail(tx, actor), full_name: HIDDEN_NAME };
  tx.emit(
    {
      type: "reaction",
      op,
      ...emoji,
      user_id,
      user: { user_id, email: apiEmail(tx, actor), full_name, is_mirror_dummy: false },
      message_id: row.id,
      ...(from.length > 0 && { hidden_user: { from, as } }),
    },
    { users: usersWhoCanRead(tx, row) },
  );
}
