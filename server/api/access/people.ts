import type { Reader } from "../../storage/transaction.ts";
import { conversationMembers, conversationsWith } from "../queries/conversations.ts";
import { organizationSetting } from "../queries/organization.ts";
import { everybodySubscribedTo, subscriptionsOf } from "../queries/subscriptions.ts";
import { isInGroup, systemGroupName } from "../queries/user-group-members.ts";
import { activeUserIds, type User, userByEmail, userById } from "../queries/users.ts";
import { apiEmail, deliveryEmail } from "./email-visibility.ts";
import { isSpectator, sendersShownToAll } from "./public-access.ts";

/** Users who share a channel or a direct conversation with the user, including deactivated users. */
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

/** The default. */
export function everybodySeesEverybody(reader: Reader): boolean {
  const setting = organizationSetting(reader, "can_access_all_users_group");
  return typeof setting === "number" && systemGroupName(reader, setting) === "role:everyone";
}

export const seesEverybody = (reader: Reader, viewer: User): boolean =>
  everybodySeesEverybody(reader) ||
  isInGroup(reader, viewer, organizationSetting(reader, "can_access_all_users_group"));

/** Active users who can see only their acquaintances, ascending. */
export const limitedViewers = (reader: Reader): number[] =>
  everybodySeesEverybody(reader)
    ? []
    : activeUserIds(reader).filter((id) => !seesEverybody(reader, userById(reader, id) as User));

/** Viewers outside `can_access_all_users_group` see only bots and acquaintances. */
export const canSeeUser = (reader: Reader, viewer: User, user: User): boolean =>
  user.id === viewer.id || user.is_bot || seesEverybody(reader, viewer) || acquaintances(reader, viewer).has(user.id);

/** Active users who can see the user, including the user, ascending. Acquaintance is mutual. */
export function usersWhoCanSee(reader: Reader, user: User): readonly number[] {
  const everybody = activeUserIds(reader);
  if (user.is_bot || everybodySeesEverybody(reader)) return everybody;
  const acquainted = acquaintances(reader, user);
  return everybody.filter(
    (id) => id === user.id || acquainted.has(id) || seesEverybody(reader, userById(reader, id) as User),
  );
}

/** Active users who cannot see the user. */
export function usersWhoCannotSee(reader: Reader, user: User): number[] {
  const limited = user.is_bot ? [] : limitedViewers(reader);
  if (limited.length === 0) return [];
  const acquainted = acquaintances(reader, user);
  return limited.filter((id) => id !== user.id && !acquainted.has(id));
}

/**
 * Finds a user by ID, login address or API email. A hidden login address finds no one, so guessing addresses reveals
 * nothing. A spectator finds only senders of messages that they can read, by ID.
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

/** Returns undefined for hidden and missing users. Do not call it in a transaction. */
export function userWithPicture(reader: Reader, viewer: User, named: number | string): User | undefined {
  const user = userNamed(reader, viewer, named);
  return user && (isSpectator(viewer) || canSeeUser(reader, viewer, user)) ? user : undefined;
}
