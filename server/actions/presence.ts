import { apiEmail } from "../access/email-visibility.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { legacyPresence, modernPresence } from "../presenters/presence.ts";
import { type Presence, presences, showsPresence, statusAt } from "../queries/presence.ts";
import type { User } from "../queries/users.ts";
import type { Store } from "../storage/store.ts";
import type { EventShapes, Reader, Transaction } from "../storage/transaction.ts";

/*
 * Hundreds of people say every minute that they are here. That is kept in memory, told only where it changes what
 * others see of them, and written down every few minutes, in one statement.
 */

/** Notes that a program of the user's is here; tells others of a change, by an event that is not kept. */
export function reportPresence(
  { reader, announce }: { reader: Reader; announce: Store["announce"] },
  user: User,
  { active, now }: { active: boolean; now: number },
): void {
  if (!showsPresence(reader, user)) return;
  const known = presences(reader);
  const before = known.byUser.get(user.id);
  known.lastUpdateId = Math.max(known.lastUpdateId + 1, now);
  const after: Presence = {
    activeAt: active ? now : (before?.activeAt ?? null),
    seenAt: now,
    updateId: known.lastUpdateId,
  };
  known.byUser.set(user.id, after);
  known.unsaved.add(user.id);
  if (statusAt(before, now) !== statusAt(after, now)) announce(news(reader, user, after, now), audience(reader, user));
}

const audience = (reader: Reader, user: User) => ({ users: usersWhoCanSee(reader, user) });

function news(reader: Reader, user: User, known: Presence, now: number): EventShapes["presence"] {
  return {
    type: "presence",
    user_id: user.id,
    email: apiEmail(reader, user),
    server_timestamp: now / 1000,
    presence: { website: { ...legacyPresence(known), pushable: false } },
    presences: { [user.id]: modernPresence(user, known) },
  };
}

/** Tells these people of somebody whom they see now. */
export function announcePresence(tx: Transaction, user: User, viewers: readonly number[]): void {
  const known = presences(tx).byUser.get(user.id);
  if (known && showsPresence(tx, user)) tx.emit(news(tx, user, known, tx.now), { users: viewers });
}

/** Writes down what is newer than what is written. */
export function savePresences(tx: Transaction): void {
  const { byUser, unsaved } = presences(tx);
  const ids = [...unsaved].sort((a, b) => a - b);
  if (ids.length === 0) return;
  const rows = ids.flatMap((id) => {
    const known = byUser.get(id);
    return known ? [[id, known.activeAt, known.seenAt, known.updateId]] : [];
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

/** For who does not want to be seen any more: what was known is forgotten, and others take them for gone since ever. */
export function deletePresence(tx: Transaction, user: User): void {
  const known = presences(tx);
  const before = known.byUser.get(user.id);
  if (!before) return;
  tx.run("DELETE FROM presences WHERE user_id = ?", user.id);
  const never = 0;
  tx.emit(
    {
      ...news(tx, user, before, tx.now),
      presence: { website: { client: "website", status: "idle", timestamp: never, pushable: false } },
      presences: { [user.id]: { active_timestamp: never, idle_timestamp: never } },
    },
    audience(tx, user),
  );
  tx.afterCommit(() => {
    known.byUser.delete(user.id);
    known.unsaved.delete(user.id);
  });
}
