import type { Transaction } from "../../storage/transaction.ts";
import { deliveryEmail, hidesEmail } from "../access/email-visibility.ts";
import { acquaintances, limitedViewers, seesEverybody, usersWhoCannotSee, usersWhoCanSee } from "../access/people.ts";
import { HIDDEN_NAME, hiddenOnWire, userOnWire } from "../presenters/users.ts";
import { activeUserIds, allUsers, type User, userById } from "../queries/users.ts";
import { resetEventQueues } from "./event-queues.ts";
import { announcePresence } from "./presence.ts";
import { announceStatus } from "./user-statuses.ts";

/** For viewers who can newly see the user. The email address is only for viewers who can see it. */
function announcePerson(tx: Transaction, user: User, viewers: readonly number[]): void {
  if (viewers.length === 0) return;
  const person = userOnWire(tx, user);
  const withoutEmail = hidesEmail(tx, user)
    ? viewers.filter((id) => deliveryEmail(tx, user, userById(tx, id) as User) === null)
    : [];
  tx.emit(
    { type: "realm_user", op: "add", person },
    {
      users: viewers,
      perUserOverrides: new Map(withoutEmail.map((id) => [id, { person: { ...person, delivery_email: null } }])),
    },
  );
  announceStatus(tx, user, viewers);
  announcePresence(tx, user, viewers);
}

/** Sends a placeholder for a hidden user, for clients that need an entry. */
function announceHidden(tx: Transaction, user: User, viewers: readonly number[]): void {
  if (viewers.length === 0) return;
  const person = hiddenOnWire(tx, user);
  tx.emit({ type: "realm_user", op: "add", person, user_list_incomplete: false }, { users: viewers });
}

export function announceNewPerson(tx: Transaction, user: User): void {
  announcePerson(tx, user, usersWhoCanSee(tx, user));
  announceHidden(tx, user, usersWhoCannotSee(tx, user));
}

/** Undefined: everyone. */
function peopleSeenBy(tx: Transaction, viewerId: number): ReadonlySet<number> | undefined {
  const viewer = userById(tx, viewerId);
  return !viewer || seesEverybody(tx, viewer) ? undefined : acquaintances(tx, viewer);
}

/** If more users appear or disappear for a viewer at once, the viewer's queues are reset. */
const MAX_PEOPLE = 300;
/** Above this number of viewers times users, visibility is not compared, and all viewers' queues are reset. */
const MAX_PAIRS = 20_000;

/** Users in more than MAX_PEOPLE of the lists. */
function tooMany(lists: readonly (readonly number[])[]): number[] {
  const counts = new Map<number, number>();
  for (const viewers of lists) for (const id of viewers) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_PEOPLE).map(([id]) => id);
}

/**
 * Call this before a change that affects who shares a channel or conversation, or who can see everyone. After the
 * change, call the returned function. It announces users who became visible or invisible. `changing`: users whose
 * permissions change. `among`: other users that may be affected; called only if some users cannot see everyone;
 * default: all.
 */
export function watchPeople(
  tx: Transaction,
  { changing = [], among }: { changing?: readonly number[]; among?: () => ReadonlySet<number> } = {},
): () => void {
  const affected = () => {
    const limited = limitedViewers(tx);
    const people = limited.length > 0 ? among?.() : undefined;
    return people ? limited.filter((id) => people.has(id)) : limited;
  };
  const affectedBefore = affected();
  const everybody = activeUserIds(tx).length;
  const isTooMuch = (viewers: number) => !among && viewers * everybody > MAX_PAIRS;
  const watched = isTooMuch(affectedBefore.length) ? [] : [...affectedBefore, ...changing];
  const before = new Map(watched.map((id) => [id, peopleSeenBy(tx, id)]));
  return () => {
    if (!among) {
      const [was, is] = [new Set(affectedBefore), new Set(limitedViewers(tx))];
      const changed = [...new Set([...was, ...is])].filter((id) => was.has(id) !== is.has(id));
      if (isTooMuch(was.size) || isTooMuch(changed.length)) return resetEventQueues(tx, changed);
    }
    let all: readonly number[] | undefined;
    const gained = new Map<number, number[]>();
    const lost = new Map<number, number[]>();
    for (const id of new Set([...before.keys(), ...(among ? [] : limitedViewers(tx))])) {
      if (!userById(tx, id)?.is_active) continue;
      const [was, is] = [before.get(id), peopleSeenBy(tx, id)];
      if (was === is) continue;
      // If neither set is everyone, both are small.
      if (!was || !is) all ??= allUsers(tx).map((user) => user.id);
      const touched = was && is ? new Set([...was, ...is]) : (all ?? []);
      for (const other of touched) {
        const [saw, sees] = [was?.has(other) ?? true, is?.has(other) ?? true];
        if (saw === sees || other === id || userById(tx, other)?.is_bot) continue;
        const lists = sees ? gained : lost;
        lists.set(other, [...(lists.get(other) ?? []), id]);
      }
    }
    const overwhelmed = new Set(tooMany([...gained.values(), ...lost.values()]));
    resetEventQueues(tx, [...overwhelmed]);
    const notified = (viewers: readonly number[]) => viewers.filter((id) => !overwhelmed.has(id));
    for (const [id, viewers] of gained) announcePerson(tx, userById(tx, id) as User, notified(viewers));
    for (const [id, viewers] of lost) {
      const users = notified(viewers);
      if (users.length === 0) continue;
      tx.emit({ type: "realm_user", op: "remove", person: { user_id: id, full_name: HIDDEN_NAME } }, { users });
      announceHidden(tx, userById(tx, id) as User, users);
    }
  };
}
