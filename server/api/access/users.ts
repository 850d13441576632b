import { ApiError, badRequest, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { hasMuted } from "../queries/muted-users.ts";
import { organizationSetting } from "../queries/organization.ts";
import { shownPresence } from "../queries/presence.ts";
import { activeUserIds, ROLES, type Role, type User, userByEmail, userById } from "../queries/users.ts";
import { viewerAsOfNow } from "./authentication.ts";
import { isBlank } from "./names.ts";
import { freeFullName } from "./organization.ts";
import { canSeeUser, userNamed } from "./people.ts";
import { isAdministrator, isPermitted } from "./roles.ts";

const NAME_LENGTH = { min: 2, max: 100 };
const MAX_EMAIL_LENGTH = 254;
// biome-ignore lint/suspicious/noControlCharactersInRegex: names cannot contain control characters
const NOT_IN_NAMES = /[*`\\>"@\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** See docs/protocol.md#names-of-people. */
export function validFullName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  const length = [...trimmed].length;
  if (length < NAME_LENGTH.min) throw badRequest(`A name has at least ${NAME_LENGTH.min} characters.`);
  if (length > NAME_LENGTH.max) throw badRequest(`A name has at most ${NAME_LENGTH.max} characters.`);
  if (isBlank(trimmed)) throw badRequest("A name needs a character that can be seen.");
  const found = NOT_IN_NAMES.exec(trimmed);
  if (found) throw badRequest(`A name cannot contain ${JSON.stringify(found[0])}.`);
  return trimmed;
}

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?";
/** A dot is not required: names in home networks have none. */
const ADDRESS = new RegExp(`^[^\\s@"(),:;<>[\\]\\\\\\p{C}]+@${LABEL}(?:\\.${LABEL})*$`, "u");

export function validEmail(email: string): string {
  const trimmed = email.trim().normalize("NFC");
  if (trimmed.length > MAX_EMAIL_LENGTH)
    throw badRequest(`An email address has at most ${MAX_EMAIL_LENGTH} characters.`);
  // No one can own a .invalid domain (RFC 2606), so system bots use it.
  if (!ADDRESS.test(trimmed) || /[@.]invalid$/i.test(trimmed)) throw badRequest("That is not an email address.");
  return trimmed;
}

export function freeEmail(reader: Reader, email: string): string {
  const valid = validEmail(email);
  if (userByEmail(reader, valid)) throw badRequest(`Somebody has an account with ${valid} already.`);
  return valid;
}

/** Hidden and missing users get the same error. */
const noSuchUser = () => badRequest("No such user");

/** Accepts an ID, login address or API email. */
export function userToSee(reader: Reader, viewer: User, named: number | string): User {
  const user = userNamed(reader, viewer, named);
  if (!user || !canSeeUser(reader, viewer, user)) throw noSuchUser();
  return user;
}

/** Reads the viewer again, after a wait. Throws if they are no longer an administrator. */
export function administratorAsOfNow(reader: Reader, viewer: User): User {
  const user = viewerAsOfNow(reader, viewer);
  if (!isAdministrator(user)) throw unauthorizedPrincipal("This is for administrators.");
  return user;
}

/** A user whom the viewer can change as an administrator. Only owners can change owners. */
export function userToChange(reader: Reader, viewer: User, named: number | string): User {
  const user = userToSee(reader, viewer, named);
  if (isSystemBot(user)) throw noSuchUser();
  if (!isAdministrator(viewer)) throw unauthorizedPrincipal("This is for administrators.");
  if (!mayChange(viewer, user)) throw unauthorizedPrincipal("Only owners may change an owner.");
  return user;
}

/** Does not check whether the viewer can see the user. */
export const mayChange = (viewer: User, user: User): boolean =>
  isAdministrator(viewer) && (user.role !== ROLES.owner || viewer.role === ROLES.owner);

/** Active people who can change the user. */
export const usersWhoMayChange = (reader: Reader, user: User): number[] =>
  activeUserIds(reader).filter((id) => {
    const other = userById(reader, id) as User;
    return !other.is_bot && mayChange(other, user);
  });

/** Bots do not count as owners. */
const isLastOwner = (reader: Reader, user: User): boolean =>
  user.role === ROLES.owner &&
  user.is_active &&
  !user.is_bot &&
  !activeUserIds(reader).some((id) => {
    const other = userById(reader, id) as User;
    return id !== user.id && other.role === ROLES.owner && !other.is_bot;
  });

/** Throws if the viewer may not give the user this role. A bot's role is never above its owner's. */
export function allowedRole(reader: Reader, viewer: User, user: User, role: Role): Role {
  if (role === user.role) return role;
  if (role === ROLES.owner && viewer.role !== ROLES.owner)
    throw unauthorizedPrincipal("Only owners may make somebody an owner.");
  if (isLastOwner(reader, user)) throw badRequest("The only owner of the organization cannot have another role.");
  const owner = user.bot_owner_id === null ? undefined : userById(reader, user.bot_owner_id);
  if (user.is_bot && owner && role < owner.role) throw badRequest("A bot cannot have a role above its owner's.");
  return role;
}

export function userToDeactivate(reader: Reader, viewer: User, id: number): User {
  const user = userToChange(reader, viewer, id);
  if (!user.is_active) throw badRequest("This user is deactivated already.");
  if (isLastOwner(reader, user)) throw badRequest("The only owner of the organization cannot be deactivated.");
  return user;
}

export function assertNotLastOwner(reader: Reader, user: User): void {
  if (!isLastOwner(reader, user)) return;
  throw new ApiError(
    "CANNOT_DEACTIVATE_LAST_USER",
    "You are the only owner of the organization: make somebody else an owner first.",
    { is_last_owner: true, entity: "organization owner" },
  );
}

/** Administrators can reactivate anyone. Other users can reactivate their own bots. */
export function userToReactivate(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  if (isSystemBot(user)) throw noSuchUser();
  const isOwn = user.is_bot && user.bot_owner_id === viewer.id;
  if (!isOwn) userToChange(reader, viewer, id);
  if (user.is_active) throw badRequest("This user is active already.");
  if (user.is_bot && !isAdministrator(viewer) && !isPermitted(reader, viewer, "can_create_bots_group"))
    throw badRequest("You may not create bots, nor bring them back: insufficient permission.");
  freeFullName(reader, user.full_name, user);
  return user;
}

const PLURALS = { name: "Names", email: "Email addresses", avatar: "Pictures" };

/** Throws if the organization lets only administrators change this. */
export function assertMayChangeOwn(reader: Reader, viewer: User, what: keyof typeof PLURALS): void {
  if (!isAdministrator(viewer) && organizationSetting(reader, `${what}_changes_disabled`))
    throw badRequest(`${PLURALS[what]} are for administrators to change here: insufficient permission.`);
}

/** Hidden and unknown presence get the same error. */
export function userWithPresence(reader: Reader, viewer: User, named: string, now: number): User {
  const user = userToSee(reader, viewer, /^\d{1,15}$/.test(named) ? Number(named) : named);
  if (user.is_bot) throw badRequest("Presence is not kept of bots.");
  if (!shownPresence(reader, user, now)) throw badRequest("Nothing is known of this user's presence.");
  return user;
}

/** Administrators can set the status of any person. */
export function userToGiveStatus(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  // System bots get the error of a missing user.
  if (isSystemBot(user)) return userToSee(reader, viewer, 0);
  if (user.is_bot) throw badRequest("Bots have no status.");
  if (!user.is_active) throw badRequest("This user is deactivated.");
  return user;
}

/** System bots cannot be muted and get the error of a missing user. */
function mutableUser(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  return isSystemBot(user) ? userToSee(reader, viewer, 0) : user;
}

/** Includes deactivated users and bots. */
export function userToMute(reader: Reader, viewer: User, id: number): User {
  if (id === viewer.id) throw badRequest("You cannot mute yourself.");
  const user = mutableUser(reader, viewer, id);
  if (hasMuted(reader, viewer.id, user.id)) throw badRequest("You have muted this user already.");
  return user;
}

/** The user may be hidden by now. */
export function userToUnmute(reader: Reader, viewer: User, id: number): User {
  if (hasMuted(reader, viewer.id, id)) return userById(reader, id) as User;
  mutableUser(reader, viewer, id);
  throw badRequest("You have not muted this user.");
}
