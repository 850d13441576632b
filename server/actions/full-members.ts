import { canSeeChannel } from "../access/channels.ts";
import { channelsShownBy } from "../presenters/user-group-uses.ts";
import { organizationSetting } from "../queries/organization.ts";
import { groupsHolding, systemGroupId, systemGroupsOf } from "../queries/user-group-members.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import {
  aboutChannel,
  announceChannel,
  announceVisibility,
  channelVisibility,
  MAX_VISIBILITY_PAIRS,
} from "./channel-visibility.ts";
import { resetEventQueues } from "./event-queues.ts";
import { watchReminders } from "./reminders.ts";

const DAY_MS = 86_400_000;

/**
 * Tells everybody of members whose waiting period has ended since this was done last: nobody's request makes them full
 * members. Who is one follows from the clock, so nothing else is written.
 */
export function notifyNewFullMembers(tx: Transaction): void {
  const told = tx.value<number>("SELECT until FROM full_members_told");
  const waiting = organizationSetting(tx, "waiting_period_threshold") * DAY_MS;
  const ended = ({ joined_at }: User) =>
    told !== undefined && joined_at + waiting > told && joined_at + waiting <= tx.now;
  const users = activeUserIds(tx);
  const fresh =
    waiting === 0 || told === undefined
      ? []
      : users
          .map((id) => userById(tx, id) as User)
          .filter((user) => user.role === ROLES.member && ended(user))
          .map(({ id }) => id);
  if (fresh.length === 0 && told !== undefined) return;
  tx.run(
    "INSERT INTO full_members_told (id, until) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET until = excluded.until",
    tx.now,
  );
  if (fresh.length === 0) return;
  const newMember = (user: User): User => ({ ...user, joined_at: tx.now });
  const announceReminders = watchReminders(tx, { users: fresh, before: newMember });
  const group_id = systemGroupId(tx, "role:fullmembers");
  tx.emit({ type: "user_group", op: "add_members", group_id, user_ids: fresh }, { users });
  const groupIds = new Set([group_id, ...groupsHolding(tx, group_id)]);
  for (const channel of channelsShownBy(tx, groupIds)) {
    const gained = fresh.filter((id) => {
      const user = userById(tx, id) as User;
      return canSeeChannel(tx, user, channel) && !canSeeChannel(tx, newMember(user), channel);
    });
    announceChannel(tx, channel, gained, aboutChannel(channel));
  }
  announceReminders();
}

/** Members who have been here for the waiting period. */
function fullMembersByTime(tx: Transaction): Set<number> {
  const members = activeUserIds(tx).map((id) => userById(tx, id) as User);
  return new Set(
    members.filter((user) => systemGroupsOf(tx, user, tx.now).includes("role:fullmembers")).map(({ id }) => id),
  );
}

/** Has `change` change the waiting period, and tells everybody whom that makes a full member, or makes none. */
export function notifyingFullMembers(tx: Transaction, change: () => void): void {
  const group_id = systemGroupId(tx, "role:fullmembers");
  const groupIds = new Set([group_id, ...groupsHolding(tx, group_id)]);
  const channels = channelsShownBy(tx, groupIds);
  const isMuch = channels.length * activeUserIds(tx).length > MAX_VISIBILITY_PAIRS;
  const visibility = channelVisibility(tx, isMuch ? [] : channels);
  const announceReminders = watchReminders(tx, { channels: channels.map(({ id }) => id) });
  const before = fullMembersByTime(tx);
  change();
  const after = fullMembersByTime(tx);
  const users = activeUserIds(tx);
  const come = [...after].filter((id) => !before.has(id));
  const gone = [...before].filter((id) => !after.has(id));
  if (come.length > 0) tx.emit({ type: "user_group", op: "add_members", group_id, user_ids: come }, { users });
  if (gone.length > 0) tx.emit({ type: "user_group", op: "remove_members", group_id, user_ids: gone }, { users });
  if (isMuch) resetEventQueues(tx, [...come, ...gone]);
  announceVisibility(tx, visibility);
  announceReminders();
  tx.run("UPDATE full_members_told SET until = ?", tx.now);
}
