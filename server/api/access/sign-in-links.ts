import { createHash, randomBytes } from "node:crypto";
import { badRequest } from "../../errors.ts";
import { isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isDeactivated } from "../queries/organization.ts";
import { signInLinkByDigest } from "../queries/sessions.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { deliveryEmail } from "./email-visibility.ts";
import { userToChange } from "./users.ts";

export const SIGN_IN_LINK_SECONDS = 3600;

/** Only the digest is stored. */
export const newLinkToken = (): string => randomBytes(32).toString("base64url");

/** With secret.key, it gives the token of a mailed link, which is created when the mail is sent. */
export const newResetSeed = (): string => randomBytes(16).toString("base64url");

export const linkDigest = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** Unknown, used, expired and void links get the same error. */
export const voidLink = () => badRequest("link_expired", {}, { var_name: "token" });

/** The user who can set a password with this link. Errors: `voidLink`. */
export const userByLink = (reader: Reader, token: string, now: number): User =>
  userAndEmailOfLink(reader, token, now).user;

/**
 * The user, and the email address that the page can show. The email address is null if the link's creator cannot see
 * it, because the creator can open the page. Errors: `voidLink`.
 */
export function userAndEmailOfLink(reader: Reader, token: string, now: number): { user: User; email: string | null } {
  const link = signInLinkByDigest(reader, linkDigest(token));
  if (!link || link.expires_at <= now || isDeactivated(reader)) throw voidLink();
  // Created while the clock was ahead, so it would work for too long.
  if (isAhead(link.expires_at, now, 2 * SIGN_IN_LINK_SECONDS * 1000)) throw voidLink();
  const [user, maker] = [userById(reader, link.user_id), userById(reader, link.made_by)];
  if (!user?.is_active || link.key_generation !== user.key_generation) throw voidLink();
  if (!maker?.is_active || !mayMake(reader, maker, user)) throw voidLink();
  return { user, email: deliveryEmail(reader, user, maker) };
}

function mayMake(reader: Reader, maker: User, user: User): boolean {
  if (maker.id === user.id) return true; // it was mailed to them
  try {
    return userToChange(reader, maker, user.id).id === user.id;
  } catch {
    return false;
  }
}

/** An active person for whom the viewer can create a link. */
export function userToResetPassword(reader: Reader, viewer: User, id: number): User {
  const user = userToChange(reader, viewer, id);
  if (user.is_bot) throw badRequest("bot_has_no_password");
  if (!user.is_active) throw badRequest("reactivate_user_first");
  return user;
}

/** An active owner. The operator can set a new password for them. */
export function ownerToResetPassword(reader: Reader, id: number): User {
  const user = userById(reader, id);
  if (!user || user.role !== ROLES.owner || user.is_bot || !user.is_active)
    throw badRequest("password_change_owners_only", {}, { var_name: "user_id" });
  return user;
}
