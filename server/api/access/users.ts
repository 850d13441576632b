import { ApiError, badRequest, problem, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { mergeOf } from "../queries/merges.ts";
import { hasMuted } from "../queries/muted-users.ts";
import { organizationSetting } from "../queries/organization.ts";
import { hidesPresence, shownPresence } from "../queries/presence.ts";
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
  if (length < NAME_LENGTH.min) throw badRequest("name_too_short", { count: NAME_LENGTH.min });
  if (length > NAME_LENGTH.max) throw badRequest("name_too_long", { count: NAME_LENGTH.max });
  if (isBlank(trimmed)) throw badRequest("name_not_visible");
  const found = NOT_IN_NAMES.exec(trimmed);
  if (found) throw badRequest("name_character_not_allowed", { value: JSON.stringify(found[0]) });
  return trimmed;
}

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?";
/** A dot is not required: names in home networks have none. */
const ADDRESS = new RegExp(`^[^\\s@"(),:;<>[\\]\\\\\\p{C}]+@${LABEL}(?:\\.${LABEL})*$`, "u");

export function validEmail(email: string): string {
  const trimmed = email.trim().normalize("NFC");
  if (trimmed.length > MAX_EMAIL_LENGTH) throw badRequest("email_too_long", { count: MAX_EMAIL_LENGTH });
  // No one can own a .invalid domain (RFC 2606), so system bots use it.
  if (!ADDRESS.test(trimmed) || /[@.]invalid$/i.test(trimmed)) throw badRequest("invalid_email");
  return trimmed;
}

/**
 * `self`: a user who can keep their address. Nobody can join with the address of an imported person: Hearth does not
 * verify addresses, and the account has private messages.
 */
export function freeEmail(reader: Reader, email: string, self?: User): string {
  const valid = validEmail(email);
  const owner = userByEmail(reader, valid);
  if (owner && owner.id !== self?.id)
    throw badRequest(owner.is_imported_stub ? "email_of_imported_person" : "email_taken", { email: valid });
  return valid;
}

/** Hidden and missing users get the same error. */
const noSuchUser = () => badRequest("user_not_found");

/** Accepts an ID, login address or API email. */
export function userToSee(reader: Reader, viewer: User, named: number | string): User {
  const user = userNamed(reader, viewer, named);
  if (!user || !canSeeUser(reader, viewer, user)) throw noSuchUser();
  return user;
}

/** Reads the viewer again, after a wait. Throws if they are no longer an administrator. */
export function administratorAsOfNow(reader: Reader, viewer: User): User {
  const user = viewerAsOfNow(reader, viewer);
  if (!isAdministrator(user)) throw unauthorizedPrincipal("administrators_only");
  return user;
}

/** A user whom the viewer can change as an administrator. Only owners can change owners. */
export function userToChange(reader: Reader, viewer: User, named: number | string): User {
  const user = userToSee(reader, viewer, named);
  if (isSystemBot(user)) throw noSuchUser();
  if (!isAdministrator(viewer)) throw unauthorizedPrincipal("administrators_only");
  if (!mayChange(viewer, user)) throw unauthorizedPrincipal("owner_change_owners_only");
  return user;
}

/** Whether an import created the account for a person who has not claimed it. */
export const isUnclaimedPerson = ({ is_imported_stub, is_bot }: Pick<User, "is_imported_stub" | "is_bot">): boolean =>
  is_imported_stub && !is_bot;

/** The account of an imported person, which the viewer can give to its person. */
export function unclaimedPerson(reader: Reader, viewer: User, id: number): User {
  const user = userToChange(reader, viewer, id);
  if (!isUnclaimedPerson(user)) throw badRequest("user_not_imported", { name: user.full_name });
  if (mergeOf(reader, id)) throw badRequest("user_being_merged", { name: user.full_name });
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

/** Throws if the viewer cannot give the user this role. A bot's role is never above its owner's. */
export function allowedRole(reader: Reader, viewer: User, user: User, role: Role): Role {
  if (role === user.role) return role;
  if (role === ROLES.owner && viewer.role !== ROLES.owner) throw unauthorizedPrincipal("owner_role_owners_only");
  if (isLastOwner(reader, user)) throw badRequest("last_owner_role_change");
  const owner = user.bot_owner_id === null ? undefined : userById(reader, user.bot_owner_id);
  if (user.is_bot && owner && role < owner.role) throw badRequest("bot_role_above_owner");
  return role;
}

export function userToDeactivate(reader: Reader, viewer: User, id: number): User {
  const user = userToChange(reader, viewer, id);
  if (!user.is_active) throw badRequest("user_already_deactivated");
  if (isLastOwner(reader, user)) throw badRequest("last_owner_deactivation");
  return user;
}

export function assertNotLastOwner(reader: Reader, user: User): void {
  if (!isLastOwner(reader, user)) return;
  throw new ApiError("CANNOT_DEACTIVATE_LAST_USER", problem("another_owner_required"), {
    is_last_owner: true,
    entity: "organization owner",
  });
}

/** Administrators can reactivate anyone. Other users can reactivate their own bots. */
export function userToReactivate(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  if (isSystemBot(user)) throw noSuchUser();
  const isOwn = user.is_bot && user.bot_owner_id === viewer.id;
  if (!isOwn) userToChange(reader, viewer, id);
  if (user.is_active) throw badRequest("user_already_active");
  if (isUnclaimedPerson(user)) throw badRequest("imported_person_reactivation");
  if (user.is_bot && !isAdministrator(viewer) && !isPermitted(reader, viewer, "can_create_bots_group"))
    throw badRequest("bot_create_not_allowed");
  freeFullName(reader, user.full_name, user);
  return user;
}

/** Throws if the organization lets only administrators change this. */
export function assertMayChangeOwn(reader: Reader, viewer: User, what: "name" | "email" | "avatar"): void {
  if (!isAdministrator(viewer) && organizationSetting(reader, `${what}_changes_disabled`))
    throw badRequest(`${what}_change_administrators_only`);
}

/** Users who hide their presence look offline, as in the public protocol. */
export function userWithPresence(reader: Reader, viewer: User, named: string, now: number): User {
  const user = userToSee(reader, viewer, /^\d{1,15}$/.test(named) ? Number(named) : named);
  if (user.is_bot) throw badRequest("bot_has_no_presence");
  if (!hidesPresence(reader, user) && !shownPresence(reader, user, now)) throw badRequest("presence_not_found");
  return user;
}

/** Administrators can set the status of any person. */
export function userToGiveStatus(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  // System bots get the error of a missing user.
  if (isSystemBot(user)) return userToSee(reader, viewer, 0);
  if (user.is_bot) throw badRequest("bot_has_no_status");
  if (!user.is_active) throw badRequest("user_deactivated");
  return user;
}

/** System bots cannot be muted and get the error of a missing user. */
function mutableUser(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  return isSystemBot(user) ? userToSee(reader, viewer, 0) : user;
}

/** Includes deactivated users and bots. */
export function userToMute(reader: Reader, viewer: User, id: number): User {
  if (id === viewer.id) throw badRequest("cannot_mute_self");
  const user = mutableUser(reader, viewer, id);
  if (hasMuted(reader, viewer.id, user.id)) throw badRequest("user_already_muted");
  return user;
}

/** The user may be hidden by now. */
export function userToUnmute(reader: Reader, viewer: User, id: number): User {
  if (hasMuted(reader, viewer.id, id)) return userById(reader, id) as User;
  mutableUser(reader, viewer, id);
  throw badRequest("user_not_muted");
}
