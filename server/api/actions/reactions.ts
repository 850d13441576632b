import { ApiError, badRequest, quoted, refusedParameter } from "../../errors.ts";
import { emojiByName, isNameOf, namesOfCode } from "../../markdown/emoji.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { apiEmail, standInEmail } from "../access/email-visibility.ts";
import { type MessageVisibility, usersWhoCanRead } from "../access/messages.ts";
import { usersWhoCannotSee } from "../access/people.ts";
import { HIDDEN_NAME } from "../presenters/users.ts";
import {
  customEmojiById,
  customEmojiByName,
  EXTRA_EMOJI,
  EXTRA_EMOJI_TYPES,
  REACTION_TYPES,
  type ReactionType,
} from "../queries/emoji.ts";
import { messageIndex } from "../queries/message-index.ts";
import type { MessageRow, Reaction } from "../queries/messages.ts";
import { FLAG, flagsOf } from "../queries/read-state.ts";
import type { User } from "../queries/users.ts";
import { writeFlags } from "./message-flags.ts";
import { policyAfterTakingPart } from "./topics.ts";

type EmojiOfReaction = Pick<Reaction, "emoji_name" | "emoji_code" | "reaction_type">;

/** An emoji as a client names it: whatever is left out follows from the rest. */
export interface NamedEmoji {
  name?: string | undefined;
  code?: string | undefined;
  type?: string | undefined;
}

const isExtra = (type: ReactionType): boolean => (EXTRA_EMOJI_TYPES as readonly string[]).includes(type);

/** There is one extra emoji, under several names. */
const isSame = (a: EmojiOfReaction, b: Omit<EmojiOfReaction, "emoji_name">): boolean =>
  (a.emoji_code === b.emoji_code && a.reaction_type === b.reaction_type) ||
  (isExtra(a.reaction_type) && isExtra(b.reaction_type));

function typeNamed(type: string | undefined): ReactionType | undefined {
  if (type === undefined) return undefined;
  const valid = REACTION_TYPES.find((name) => name === type);
  if (!valid) throw badRequest(`Invalid emoji type: it is one of ${REACTION_TYPES.join(", ")}.`);
  return valid;
}

/** The emoji with this name (and type, if given). The organization's own emoji take precedence over others. */
function emojiNamed(reader: Reader, name: string, type: ReactionType | undefined): EmojiOfReaction | undefined {
  const found = (emoji_code: string, reaction_type: ReactionType) => ({ emoji_name: name, emoji_code, reaction_type });
  const custom = type === undefined || type === "realm_emoji" ? customEmojiByName(reader, name) : undefined;
  if (custom) return found(String(custom.id), "realm_emoji");
  if ((type === undefined || isExtra(type)) && EXTRA_EMOJI.has(name)) return found(name, type ?? "zulip_extra_emoji");
  const unicode = type === undefined || type === "unicode_emoji" ? emojiByName(name) : undefined;
  return unicode && found(unicode.code, "unicode_emoji");
}

const noEmojiNamed = (name: string) => badRequest(`The emoji ${quoted(name)} does not exist.`);

/** Throws for an emoji that does not exist, and for a name that does not belong to the code. */
function assertExists(
  reader: Reader,
  { emoji_name: name, emoji_code: code, reaction_type: type }: EmojiOfReaction,
): void {
  if (type === "realm_emoji") {
    const custom = /^[1-9]\d{0,14}$/.test(code) ? customEmojiById(reader, Number(code)) : undefined;
    if (!custom) throw badRequest("Invalid custom emoji.");
    if (custom.name !== name) throw badRequest("Invalid custom emoji name.");
    if (custom.deactivated) throw badRequest("This custom emoji has been deactivated.");
    return;
  }
  const exists = isExtra(type) ? EXTRA_EMOJI.has(code) : namesOfCode(code).length > 0;
  if (!exists) throw badRequest("Invalid emoji code.");
  const isItsName = isExtra(type) ? name === code : isNameOf(name, code);
  if (!isItsName) throw badRequest("Invalid emoji name.");
}

function emojiToAdd(reader: Reader, named: NamedEmoji & { name: string }): EmojiOfReaction {
  const { name, code } = named;
  const type = typeNamed(named.type);
  if (code !== undefined && type !== undefined) return { emoji_name: name, emoji_code: code, reaction_type: type };
  const emoji = emojiNamed(reader, name, type);
  if (!emoji) throw noEmojiNamed(name);
  return { ...emoji, emoji_code: code ?? emoji.emoji_code };
}

/** The emoji that a client names. Errors: BAD_REQUEST for one that does not exist. */
export function existingEmoji(reader: Reader, named: NamedEmoji & { name: string }): EmojiOfReaction {
  const emoji = emojiToAdd(reader, named);
  assertExists(reader, emoji);
  return emoji;
}

/** Different ones on a message. A person could add every emoji there is, and every reader would get them. */
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
    throw new ApiError("REACTION_ALREADY_EXISTS", "You have given this reaction already.");
  }
  // Later reactions take the name of the first, so that one picture is not counted under two names; they do so even
  // after that emoji was removed.
  const [first] = others;
  if (!first) {
    assertExists(tx, requested);
    const different = new Set(row.reactions.map((one) => `${one.reaction_type} ${one.emoji_code}`)).size;
    if (different >= MAX_REACTIONS)
      throw refusedParameter("emoji_name", `emoji_name: a message has at most ${MAX_REACTIONS} different reactions.`);
  }
  const { emoji_name, emoji_code, reaction_type } = first ?? requested;
  tx.run(
    "INSERT INTO reactions (message_id, user_id, emoji_name, emoji_code, reaction_type) VALUES (?, ?, ?, ?, ?)",
    row.id,
    actor.id,
    emoji_name,
    emoji_code,
    reaction_type,
  );
  if (!visibility.isOwnHistory(row.id)) {
    const flags = flagsOf(tx, actor.id, [row.id]).get(row.id) ?? 0;
    writeFlags(tx, actor.id, row.id, flags | FLAG.historical);
  }
  announce(tx, actor, row, "add", { emoji_name, emoji_code, reaction_type });
  policyAfterTakingPart(tx, actor, row);
}

/** Takes back a reaction of the actor's own, named by its code or, without one, by its name. */
export function removeReaction(tx: Transaction, actor: User, { row }: { row: MessageRow }, named: NamedEmoji): void {
  const own = row.reactions.filter((reaction) => reaction.user_id === actor.id);
  const reaction = own.find(reactionNamed(tx, own, named));
  if (!reaction) throw new ApiError("REACTION_DOES_NOT_EXIST", "You have not given this reaction.");
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
  if (name === undefined) throw badRequest("Give emoji_name or emoji_code.");
  const emoji = emojiNamed(reader, name, type);
  if (emoji && own.some((reaction) => isSame(reaction, emoji))) return (reaction) => isSame(reaction, emoji);
  // The emoji with that name may have been removed meanwhile, or have been given another one.
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
