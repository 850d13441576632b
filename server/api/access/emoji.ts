import { aboutParameter, badRequest, notFound, shortened, unauthorizedPrincipal } from "../../errors.ts";
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
  if (stored === "") throw badRequest("emoji_name_required");
  if (stored.length > MAX_EMOJI_NAME_LENGTH) throw badRequest("emoji_name_too_long", { count: MAX_EMOJI_NAME_LENGTH });
  if (!/^[a-z0-9._-]+$/.test(stored)) throw badRequest("emoji_name_invalid_characters");
  if (!/[a-z0-9]$/.test(stored)) throw badRequest("emoji_name_invalid_ending");
  return stored;
}

/** `isBuiltIn`: whether a built-in emoji has the name. */
export function newEmojiName(reader: Reader, viewer: User, name: string, isBuiltIn: (name: string) => boolean): string {
  if (!isPermitted(reader, viewer, "can_add_custom_emoji_group")) throw badRequest("add_emoji_not_permitted");
  const stored = aboutParameter("emoji_name", () => validEmojiName(name));
  if (customEmojiByName(reader, stored)) throw badRequest("emoji_name_taken", {}, { var_name: "emoji_name" });
  if (isBuiltIn(stored) && !isAdministrator(viewer)) throw badRequest("replace_emoji_administrators_only");
  if (allCustomEmoji(reader).length >= MAX_CUSTOM_EMOJI)
    throw badRequest("too_many_custom_emoji", { count: MAX_CUSTOM_EMOJI });
  return stored;
}

/** For the author and for administrators. */
export function emojiToDeactivate(reader: Reader, viewer: User, name: string): CustomEmoji {
  const emoji = customEmojiByName(reader, name);
  if (!emoji) throw notFound("emoji_not_found", { name: shortened(name) });
  if (!isAdministrator(viewer) && emoji.author_id !== viewer.id)
    throw unauthorizedPrincipal("deactivate_emoji_not_permitted");
  return emoji;
}
