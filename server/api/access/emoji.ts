import { aboutParameter, badRequest, notFound, quoted, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import {
  allCustomEmoji,
  type CustomEmoji,
  customEmojiByName,
  MAX_CUSTOM_EMOJI,
  MAX_EMOJI_NAME_LENGTH,
} from "../queries/emoji.ts";
import type { User } from "../queries/users.ts";
import { isAdministrator, isPermitted } from "./roles.ts";

/** Spaces become underscores. */
function validEmojiName(name: string): string {
  const stored = name.trim().replaceAll(" ", "_");
  if (stored === "") throw badRequest("The emoji needs a name.");
  if (stored.length > MAX_EMOJI_NAME_LENGTH)
    throw badRequest(`The name of an emoji has at most ${MAX_EMOJI_NAME_LENGTH} characters.`);
  if (!/^[a-z0-9._-]+$/.test(stored))
    throw badRequest("The name of an emoji has lower-case letters of a to z, digits, spaces, and any of _ - . only.");
  if (!/[a-z0-9]$/.test(stored)) throw badRequest("The name of an emoji ends with a letter or a digit.");
  return stored;
}

/** `isBuiltIn`: whether a built-in emoji has the name. */
export function newEmojiName(reader: Reader, viewer: User, name: string, isBuiltIn: (name: string) => boolean): string {
  if (!isPermitted(reader, viewer, "can_add_custom_emoji_group"))
    throw badRequest("You may not add emoji: insufficient permission.");
  const stored = aboutParameter("emoji_name", () => validEmojiName(name));
  if (customEmojiByName(reader, stored))
    throw badRequest("A custom emoji with this name already exists.", { var_name: "emoji_name" });
  if (isBuiltIn(stored) && !isAdministrator(viewer))
    throw badRequest("Only administrators may replace an emoji that everybody has: insufficient permission.");
  if (allCustomEmoji(reader).length >= MAX_CUSTOM_EMOJI)
    throw badRequest(`There are at most ${MAX_CUSTOM_EMOJI} custom emoji, deactivated ones included.`);
  return stored;
}

/** For the author and for administrators. */
export function emojiToDeactivate(reader: Reader, viewer: User, name: string): CustomEmoji {
  const emoji = customEmojiByName(reader, name);
  if (!emoji) throw notFound(`The emoji ${quoted(name)} does not exist.`);
  if (!isAdministrator(viewer) && emoji.author_id !== viewer.id)
    throw unauthorizedPrincipal("Only administrators and whoever added this emoji may deactivate it.");
  return emoji;
}
