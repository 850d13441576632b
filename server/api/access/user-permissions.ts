import { ApiError, badRequest, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { organizationSetting } from "../queries/organization.ts";
import { activeUserIds, ROLES, type Role, type User, userById } from "../queries/users.ts";
import { viewerAsOfNow } from "./authentication.ts";
import { userNamed } from "./direct-messages.ts";
import { freeFullName } from "./organization.ts";
import { canSeeUser } from "./people.ts";
import { isPermitted } from "./permissions.ts";
import { isAdministrator } from "./roles.ts";

/** The same error for a user who is hidden from the viewer and for one who does not exist. */
const noSuchUser = () => badRequest("No such user");

/** By id, login address or API email. */
export function userToSee(reader: Reader, viewer: User, named: number | string): User {
  const user = userNamed(reader, viewer, named);
  if (!user || !canSeeUser(reader, viewer, user)) throw noSuchUser();
  return user;
}

/** The viewer as they are now, for a call that has waited; an error if they are no administrator any more. */
export function administratorAsOfNow(reader: Reader, viewer: User): User {
  const user = viewerAsOfNow(reader, viewer);
  if (!isAdministrator(user)) throw unauthorizedPrincipal("This is for administrators.");
  return user;
}

/** A user whom the viewer may change as an administrator; only owners change owners. */
export function userToChange(reader: Reader, viewer: User, named: number | string): User {
  const user = userToSee(reader, viewer, named);
  if (isSystemBot(user)) throw noSuchUser();
  if (!isAdministrator(viewer)) throw unauthorizedPrincipal("This is for administrators.");
  if (!mayChange(viewer, user)) throw unauthorizedPrincipal("Only owners may change an owner.");
  return user;
}

/** Whether userToChange lets the viewer change the user, of whom they know. */
export const mayChange = (viewer: User, user: User): boolean =>
  isAdministrator(viewer) && (user.role !== ROLES.owner || viewer.role === ROLES.owner);

/** Active users, bots aside, who may change the user as administrators. */
export const usersWhoMayChange = (reader: Reader, user: User): number[] =>
  activeUserIds(reader).filter((id) => {
    const other = userById(reader, id) as User;
    return !other.is_bot && mayChange(other, user);
  });

/** Whether the user is the only active owner of the organization; bots do not count. */
export const isLastOwner = (reader: Reader, user: User): boolean =>
  user.role === ROLES.owner &&
  user.is_active &&
  !user.is_bot &&
  !activeUserIds(reader).some((id) => {
    const other = userById(reader, id) as User;
    return id !== user.id && other.role === ROLES.owner && !other.is_bot;
  });

/** The role, if the viewer may give it to somebody whom they may change. A bot's is never above its owner's. */
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

/** Throws if the organization would be left without an owner. */
export function assertNotLastOwner(reader: Reader, user: User): void {
  if (!isLastOwner(reader, user)) return;
  throw new ApiError(
    "CANNOT_DEACTIVATE_LAST_USER",
    "You are the only owner of the organization: make somebody else an owner first.",
    { is_last_owner: true, entity: "organization owner" },
  );
}

/** A deactivated user whom the viewer may reactivate: administrators anybody, those who may create bots their own. */
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

/** Throws if only administrators may change this in the organization. */
export function assertMayChangeOwn(reader: Reader, viewer: User, what: keyof typeof PLURALS): void {
  if (!isAdministrator(viewer) && organizationSetting(reader, `${what}_changes_disabled`))
    throw badRequest(`${PLURALS[what]} are for administrators to change here: insufficient permission.`);
}
