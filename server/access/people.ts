import { conversationMembers, conversationsWith } from "../queries/conversations.ts";
import { organizationSetting } from "../queries/organization.ts";
import { subscribersOf, subscriptionsOf } from "../queries/subscriptions.ts";
import type { Reader } from "../storage/transaction.ts";
import { isInGroup } from "./user-groups.ts";
import type { User } from "./users.ts";

/** Ids of all with whom the user shares a channel or a direct conversation. */
const acquaintances = (reader: Reader, user: User): ReadonlySet<number> =>
  reader.derived(
    `acquaintances of ${user.id}`,
    ["subscriptions", "users", "conversation_members", "recipients"],
    (rows) => {
      const found = new Set<number>();
      for (const { channel_id, subscribed } of subscriptionsOf(rows, user.id).values()) {
        if (subscribed) for (const id of subscribersOf(rows, channel_id).ids) found.add(id);
      }
      for (const recipientId of conversationsWith(rows, user.id)) {
        for (const id of conversationMembers(rows, recipientId)) found.add(id);
      }
      return found;
    },
  );

/**
 * Whether the viewer may know of the user. Whom `can_access_all_users_group` leaves out knows bots, and those they
 * share a channel or a direct conversation with.
 */
export const canSeeUser = (reader: Reader, viewer: User, user: User): boolean =>
  user.id === viewer.id ||
  user.is_bot ||
  isInGroup(reader, viewer, organizationSetting(reader, "can_access_all_users_group")) ||
  acquaintances(reader, viewer).has(user.id);
