import type { Reader } from "../../storage/transaction.ts";
import { conversationMembers, conversationsWith } from "../queries/conversations.ts";
import { organizationSetting } from "../queries/organization.ts";
import { everybodySubscribedTo, subscriptionsOf } from "../queries/subscriptions.ts";
import { isInGroup, systemGroupName } from "../queries/user-group-members.ts";
import { activeUserIds, type User, userByEmail, userById } from "../queries/users.ts";
import { apiEmail, deliveryEmail } from "./email-visibility.ts";
import { isSpectator, sendersShownToAll } from "./public-access.ts";

/** Ids of everybody with whom the user shares a channel or a direct conversation, deactivated users too. */
export const acquaintances = (reader: Reader, user: Pick<User, "id">): ReadonlySet<number> =>
  reader.derived(`acquaintances of ${user.id}`, ["subscriptions", "conversation_members", "recipients"], (rows) => {
    const found = new Set<number>();
    for (const { channel_id, subscribed } of subscriptionsOf(rows, user.id).values()) {
      if (subscribed) for (const id of everybodySubscribedTo(rows, channel_id)) found.add(id);
    }
    for (const recipientId of conversationsWith(rows, user.id)) {
      for (const id of conversationMembers(rows, recipientId)) found.add(id);
    }
    return found;
  });

/** Whether everybody may know of everybody, as is the default. */
export function everybodySeesEverybody(reader: Reader): boolean {
  const setting = organizationSetting(reader, "can_access_all_users_group");
  return typeof setting === "number" && systemGroupName(reader, setting) === "role:everyone";
}

export const seesEverybody = (reader: Reader, viewer: User): boolean =>
  everybodySeesEverybody(reader) ||
  isInGroup(reader, viewer, organizationSetting(reader, "can_access_all_users_group"));

/** Ids of the active users who may know only of their acquaintances, ascending. */
export const limitedViewers = (reader: Reader): number[] =>
  everybodySeesEverybody(reader)
    ? []
    : activeUserIds(reader).filter((id) => !seesEverybody(reader, userById(reader, id) as User));

/**
 * Whether the viewer may know of the user. Viewers outside `can_access_all_users_group` know of bots and of those with
 * whom they share a channel or a direct conversation.
 */
export const canSeeUser = (reader: Reader, viewer: User, user: User): boolean =>
  user.id === viewer.id || user.is_bot || seesEverybody(reader, viewer) || acquaintances(reader, viewer).has(user.id);

/** Ids of the active users who may know of the user, the user included, ascending. Acquaintance is mutual. */
export function usersWhoCanSee(reader: Reader, user: User): readonly number[] {
  const everybody = activeUserIds(reader);
  if (user.is_bot || everybodySeesEverybody(reader)) return everybody;
  const acquainted = acquaintances(reader, user);
  return everybody.filter(
    (id) => id === user.id || acquainted.has(id) || seesEverybody(reader, userById(reader, id) as User),
  );
}

/** Ids of the active users from whom the user is hidden. */
export function usersWhoCannotSee(reader: Reader, user: User): number[] {
  const limited = user.is_bot ? [] : limitedViewers(reader);
  if (limited.length === 0) return [];
  const acquainted = acquaintances(reader, user);
  return limited.filter((id) => id !== user.id && !acquainted.has(id));
}

/**
 * The user whom a client names by id, login address or API email. A login address that is hidden from the viewer finds
 * nobody, so that trying addresses does not reveal whose they are. A spectator finds only the senders of messages that
 * they may read, by id.
 */
export function userNamed(reader: Reader, viewer: User, name: string | number): User | undefined {
  if (isSpectator(viewer))
    return typeof name === "number" && sendersShownToAll(reader).has(name) ? userById(reader, name) : undefined;
  if (typeof name === "number") return Number.isSafeInteger(name) ? userById(reader, name) : undefined;
  const id = /^user(\d{1,15})@/.exec(name.trim())?.[1];
  const hiding = id === undefined ? undefined : userById(reader, Number(id));
  if (hiding && apiEmail(reader, hiding) === name.trim()) return hiding;
  const user = userByEmail(reader, name);
  return user && deliveryEmail(reader, user, viewer) !== null ? user : undefined;
}

/**
 * Whose picture the viewer may see, by id, login address or API email. Undefined both for a user whom the viewer may
 * not know of and for nobody. Outside transactions only.
 */
export function userToPicture(reader: Reader, viewer: User, named: number | string): User | undefined {
  const user = userNamed(reader, viewer, named);
  return user && (isSpectator(viewer) || canSeeUser(reader, viewer, user)) ? user : undefined;
}
