import { isAhead } from "../../storage/ages.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { canSeeChannel } from "../access/channels.ts";
import { channelsShownBy } from "../presenters/user-groups.ts";
import { organizationSetting } from "../queries/organization.ts";
import { groupsHolding, systemGroupId, systemGroupsOf } from "../queries/user-group-members.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import {
  aboutChannel,
  announceChannel,
  announceVisibility,
  channelVisibility,
  MAX_VISIBILITY_PAIRS,
} from "./channels.ts";
import { resetEventQueues } from "./event-queues.ts";
import { watchReminders } from "./reminders.ts";

const DAY_MS = 86_400_000;

/**
 * Announces members whose waiting period has ended since the last call. Full membership follows from the clock, so only
 * the time of the call is stored.
 */
export function announceNewFullMembers(tx: Transaction): void {
  const stored = tx.value<number>("SELECT until FROM full_members_told");
  // Stored while the clock was ahead, so no one would be announced until then.
  const notifiedUntil = stored !== undefined && isAhead(stored, tx.now) ? undefined : stored;
  const waiting = organizationSetting(tx, "waiting_period_threshold") * DAY_MS;
  const hasEnded = ({ joined_at }: User) =>
    notifiedUntil !== undefined && joined_at + waiting > notifiedUntil && joined_at + waiting <= tx.now;
  const users = activeUserIds(tx);
  const newFullMembers =
    waiting === 0 || notifiedUntil === undefined
      ? []
      : users
          .map((id) => userById(tx, id) as User)
          .filter((user) => user.role === ROLES.member && hasEnded(user))
          .map(({ id }) => id);
  if (newFullMembers.length === 0 && notifiedUntil !== undefined) return;
  tx.run(
    "INSERT INTO full_members_told (id, until) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET until = excluded.until",
    tx.now,
  );
  if (newFullMembers.length === 0) return;
  const newMember = (user: User): User => ({ ...user, joined_at: tx.now });
  const announceReminders = watchReminders(tx, { users: newFullMembers, before: newMember });
  const group_id = systemGroupId(tx, "role:fullmembers");
  tx.emit({ type: "user_group", op: "add_members", group_id, user_ids: newFullMembers }, { users });
  const groupIds = new Set([group_id, ...groupsHolding(tx, group_id)]);
  for (const channel of channelsShownBy(tx, groupIds)) {
    const gained = newFullMembers.filter((id) => {
      const user = userById(tx, id) as User;
      return canSeeChannel(tx, user, channel) && !canSeeChannel(tx, newMember(user), channel);
    });
    announceChannel(tx, channel, gained, aboutChannel(channel));
  }
  announceReminders();
}

function fullMembersByTime(tx: Transaction): Set<number> {
  const members = activeUserIds(tx).map((id) => userById(tx, id) as User);
  return new Set(
    members.filter((user) => systemGroupsOf(tx, user, tx.now).includes("role:fullmembers")).map(({ id }) => id),
  );
}

/** Runs `change`, which changes the waiting period, and announces new and former full members. */
export function announcingFullMembers(tx: Transaction, change: () => void): void {
  const group_id = systemGroupId(tx, "role:fullmembers");
  const groupIds = new Set([group_id, ...groupsHolding(tx, group_id)]);
  const channels = channelsShownBy(tx, groupIds);
  const isTooMuch = channels.length * activeUserIds(tx).length > MAX_VISIBILITY_PAIRS;
  const visibility = channelVisibility(tx, isTooMuch ? [] : channels);
  const announceReminders = watchReminders(tx, { channels: channels.map(({ id }) => id) });
  const before = fullMembersByTime(tx);
  change();
  const after = fullMembersByTime(tx);
  const users = activeUserIds(tx);
  const added = [...after].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !after.has(id));
  if (added.length > 0) tx.emit({ type: "user_group", op: "add_members", group_id, user_ids: added }, { users });
  if (removed.length > 0) tx.emit({ type: "user_group", op: "remove_members", group_id, user_ids: removed }, { users });
  if (isTooMuch) resetEventQueues(tx, [...added, ...removed]);
  announceVisibility(tx, visibility);
  announceReminders();
  tx.run("UPDATE full_members_told SET until = ?", tx.now);
}
