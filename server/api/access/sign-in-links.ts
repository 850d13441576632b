import { createHash, randomBytes } from "node:crypto";
import { badRequest } from "../../errors.ts";
import { isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isDeactivated } from "../queries/organization.ts";
import { signInLinkByDigest } from "../queries/sessions.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { deliveryEmail } from "./email-visibility.ts";
import { userToChange } from "./user-permissions.ts";

export const SIGN_IN_LINK_SECONDS = 3600;

/** The token in a link: 32 random bytes. Only their digest is stored. */
export const newLinkToken = (): string => randomBytes(32).toString("base64url");

export const linkDigest = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** The same error for an unknown, used or expired link and for one that is void since somebody's rights changed. */
export const voidLink = () =>
  badRequest("This link cannot be used any more. Ask an administrator for a new one.", { var_name: "token" });

/** The user who may set a new password by the link with this token. Errors: `voidLink`. */
export const userByLink = (reader: Reader, token: string, now: number): User => personOfLink(reader, token, now).user;

/**
 * That user, with the address that the page of the link may show: null if it is hidden from the maker of the link, who
 * can open the page like anybody else who has the link. Errors: `voidLink`.
 */
export function personOfLink(reader: Reader, token: string, now: number): { user: User; email: string | null } {
  const link = signInLinkByDigest(reader, linkDigest(token));
  if (!link || link.expires_at <= now || isDeactivated(reader)) throw voidLink();
  // Made while the clock was ahead: it would work for longer than an hour.
  if (isAhead(link.expires_at, now, 2 * SIGN_IN_LINK_SECONDS * 1000)) throw voidLink();
  const [user, maker] = [userById(reader, link.user_id), userById(reader, link.made_by)];
  if (!user?.is_active || link.key_generation !== user.key_generation) throw voidLink();
  if (!maker?.is_active || !mayMake(reader, maker, user)) throw voidLink();
  return { user, email: deliveryEmail(reader, user, maker) };
}

function mayMake(reader: Reader, maker: User, user: User): boolean {
  try {
    return userToChange(reader, maker, user.id).id === user.id;
  } catch {
    return false;
  }
}

/** An active person for whom the viewer may make a link. */
export function userToLetIn(reader: Reader, viewer: User, id: number): User {
  const user = userToChange(reader, viewer, id);
  if (user.is_bot) throw badRequest("Bots have no password.");
  if (!user.is_active) throw badRequest("This user is deactivated: bring them back first.");
  return user;
}

/** An active owner: whoever sits at the machine lets them in again. */
export function ownerToLetIn(reader: Reader, id: number): User {
  const user = userById(reader, id);
  if (!user || user.role !== ROLES.owner || user.is_bot || !user.is_active)
    throw badRequest("Only an owner's password is set at the desk. Others get a sign-in link.", {
      var_name: "user_id",
    });
  return user;
}
