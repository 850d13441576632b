import type { Store } from "../../storage/store.ts";
import type { EventShapes, Reader, Transaction } from "../../storage/transaction.ts";
import { apiEmail } from "../access/email-visibility.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { legacyPresence, modernPresence } from "../presenters/presence.ts";
import { isFromFuture, type Presence, presences, shownPresence, showsPresence, statusAt } from "../queries/presence.ts";
import { isRecorded } from "../queries/user-activity.ts";
import type { User } from "../queries/users.ts";

/*
 * Hundreds of clients report presence every minute. Reports stay in memory. Only visible changes are announced, and one
 * statement stores all changes every few minutes.
 */

/** Announces a change with an event that is not stored. */
export function reportPresence(
  { reader, announce }: { reader: Reader; announce: Store["announce"] },
  user: User,
  { active, now }: { active: boolean; now: number },
): void {
  if (!showsPresence(reader, user)) return;
  const cached = presences(reader);
  const last = cached.byUser.get(user.id);
  const before = last && isFromFuture(last, now) ? undefined : last;
  cached.lastUpdateId = Math.max(cached.lastUpdateId + 1, now);
  const after: Presence = {
    activeAt: active ? now : (before?.activeAt ?? null),
    seenAt: now,
    updateId: cached.lastUpdateId,
  };
  cached.byUser.set(user.id, after);
  cached.unsaved.add(user.id);
  if (statusAt(before, now) !== statusAt(after, now))
    announce(presenceEvent(reader, user, after, now), audience(reader, user));
}

const audience = (reader: Reader, user: User) => ({ users: usersWhoCanSee(reader, user) });

function presenceEvent(reader: Reader, user: User, presence: Presence, now: number): EventShapes["presence"] {
  return {
    type: "presence",
    user_id: user.id,
    email: apiEmail(reader, user),
    server_timestamp: now / 1000,
    presence: { website: { ...legacyPresence(presence), pushable: false } },
    presences: { [user.id]: modernPresence(user, presence) },
  };
}

/** For viewers who can newly see the user. */
export function announcePresence(tx: Transaction, user: User, viewers: readonly number[]): void {
  const presence = shownPresence(tx, user, tx.now);
  if (presence) tx.emit(presenceEvent(tx, user, presence, tx.now), { users: viewers });
}

/** Stores presences that changed since the last call. */
export function savePresences(tx: Transaction): void {
  const { byUser, unsaved } = presences(tx);
  const ids = [...unsaved].sort((a, b) => a - b);
  if (ids.length === 0) return;
  const rows = ids.flatMap((id) => {
    const presence = byUser.get(id);
    return presence ? [[id, presence.activeAt, presence.seenAt, presence.updateId]] : [];
  });
  tx.run(
    `INSERT INTO presences (user_id, active_at, seen_at, update_id)
     SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]')
     FROM json_each(?) WHERE TRUE ORDER BY json_extract(value, '$[0]')
     ON CONFLICT (user_id) DO UPDATE SET active_at = excluded.active_at, seen_at = excluded.seen_at,
       update_id = excluded.update_id`,
    JSON.stringify(rows),
  );
  tx.afterCommit(() => {
    for (const id of ids) unsaved.delete(id);
  });
}

/** For a user who hides their presence. Others see the user as away forever. */
export function deletePresence(tx: Transaction, user: User): void {
  const cached = presences(tx);
  const before = cached.byUser.get(user.id);
  if (!before) return;
  tx.run("DELETE FROM presences WHERE user_id = ?", user.id);
  const never = 0;
  tx.emit(
    {
      ...presenceEvent(tx, user, before, tx.now),
      presence: { website: { client: "website", status: "idle", timestamp: never, pushable: false } },
      presences: { [user.id]: { active_timestamp: never, idle_timestamp: never } },
    },
    audience(tx, user),
  );
  tx.afterCommit(() => {
    cached.byUser.delete(user.id);
    cached.unsaved.delete(user.id);
  });
}

/** Stored at most once a day per user. */
export function noteActive(tx: Transaction, userIds: Iterable<number>): void {
  const ids = [...userIds].filter((id) => !isRecorded(tx, id, tx.now)).sort((a, b) => a - b);
  for (const id of ids) {
    tx.run(
      `INSERT INTO user_activity (user_id, first_at, active_at) VALUES (?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET active_at = excluded.active_at`,
      id,
      tx.now,
      tx.now,
    );
  }
}
