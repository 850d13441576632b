import { deliveryEmail, hidesEmail } from "../access/email-visibility.ts";
import { acquaintances, limitedViewers, seesEverybody, usersWhoCannotSee, usersWhoCanSee } from "../access/people.ts";
import { HIDDEN_NAME, hiddenOnWire, userOnWire } from "../presenters/users.ts";
import { activeUserIds, allUsers, type User, userById } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import { resetEventQueues } from "./event-queues.ts";
import { announcePresence } from "./presence.ts";
import { announceStatus } from "./user-statuses.ts";

/** Tells these people of somebody whom they see now, each as far as they may see the address. */
function announcePerson(tx: Transaction, user: User, viewers: readonly number[]): void {
  if (viewers.length === 0) return;
  const person = userOnWire(tx, user);
  const keptOut = hidesEmail(tx, user)
    ? viewers.filter((id) => deliveryEmail(tx, user, userById(tx, id) as User) === null)
    : [];
  tx.emit(
    { type: "realm_user", op: "add", person },
    {
      users: viewers,
      perUserOverrides: new Map(keptOut.map((id) => [id, { person: { ...person, delivery_email: null } }])),
    },
  );
  announceStatus(tx, user, viewers);
  announcePresence(tx, user, viewers);
}

/** What stands for somebody, to those who may not know of them and whose programs need something. */
function announceHidden(tx: Transaction, user: User, viewers: readonly number[]): void {
  if (viewers.length === 0) return;
  const person = hiddenOnWire(tx, user);
  tx.emit({ type: "realm_user", op: "add", person, user_list_incomplete: false }, { users: viewers });
}

/** Tells everybody of somebody new. */
export function announceNewPerson(tx: Transaction, user: User): void {
  announcePerson(tx, user, usersWhoCanSee(tx, user));
  announceHidden(tx, user, usersWhoCannotSee(tx, user));
}

/** Whom somebody sees: undefined where that is everybody. */
function peopleSeenBy(tx: Transaction, viewerId: number): ReadonlySet<number> | undefined {
  const viewer = userById(tx, viewerId);
  return !viewer || seesEverybody(tx, viewer) ? undefined : acquaintances(tx, viewer);
}

/** Who hears of more people at once begins anew. */
const MAX_PEOPLE = 300;
/** Of all that a change may concern: where there are more, it is not asked who sees whom, and all of them begin anew. */
const MAX_PAIRS = 20_000;

/** Those who are in more of these lists than that. */
function tooMany(lists: readonly (readonly number[])[]): number[] {
  const counts = new Map<number, number>();
  for (const viewers of lists) for (const id of viewers) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_PEOPLE).map(([id]) => id);
}

/**
 * To be called before a change of who shares a channel or a conversation with whom, or of who may see everybody; and
 * what it returns afterwards, which tells of people that came into somebody's visibility or went out of it. `changing`:
 * whose own rights change. `among`: whom else it may concern, asked where there is anybody who does not see everybody;
 * left out: all of them.
 */
export function watchPeople(
  tx: Transaction,
  { changing = [], among }: { changing?: readonly number[]; among?: () => ReadonlySet<number> } = {},
): () => void {
  const concerned = () => {
    const limited = limitedViewers(tx);
    const people = limited.length > 0 ? among?.() : undefined;
    return people ? limited.filter((id) => people.has(id)) : limited;
  };
  const concernedBefore = concerned();
  const everybody = activeUserIds(tx).length;
  const isMuch = (viewers: number) => !among && viewers * everybody > MAX_PAIRS;
  const watched = isMuch(concernedBefore.length) ? [] : [...concernedBefore, ...changing];
  const before = new Map(watched.map((id) => [id, peopleSeenBy(tx, id)]));
  return () => {
    if (!among) {
      const [was, is] = [new Set(concernedBefore), new Set(limitedViewers(tx))];
      const changed = [...new Set([...was, ...is])].filter((id) => was.has(id) !== is.has(id));
      if (isMuch(was.size) || isMuch(changed.length)) return resetEventQueues(tx, changed);
    }
    let all: readonly number[] | undefined;
    const gained = new Map<number, number[]>();
    const lost = new Map<number, number[]>();
    for (const id of new Set([...before.keys(), ...(among ? [] : limitedViewers(tx))])) {
      if (!userById(tx, id)?.is_active) continue;
      const [was, is] = [before.get(id), peopleSeenBy(tx, id)];
      if (was === is) continue;
      // Only one of them can be everybody: two different sets are small.
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
    const told = (viewers: readonly number[]) => viewers.filter((id) => !overwhelmed.has(id));
    for (const [id, viewers] of gained) announcePerson(tx, userById(tx, id) as User, told(viewers));
    for (const [id, viewers] of lost) {
      const users = told(viewers);
      if (users.length === 0) continue;
      tx.emit({ type: "realm_user", op: "remove", person: { user_id: id, full_name: HIDDEN_NAME } }, { users });
      announceHidden(tx, userById(tx, id) as User, users);
    }
  };
}
