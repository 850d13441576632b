import type { Transaction } from "../../storage/transaction.ts";
import { canSeeChannel, usersWhoCanSeeChannel } from "../access/channels.ts";
import { channelOnWire } from "../presenters/channels.ts";
import { subscriptionOnWire } from "../presenters/subscriptions.ts";
import type { Channel } from "../queries/channels.ts";
import {
  inheritedByUser,
  type PersonalSettings,
  SUBSCRIPTION_PROPERTIES,
  subscribersOf,
} from "../queries/subscriptions.ts";
import { userById } from "../queries/users.ts";
import { aboutChannel } from "./channels.ts";
import { addTo } from "./grouping.ts";

/** Channels with the users who joined or left, ascending. */
type Changes = readonly (readonly [Channel, readonly number[]])[];

type Clients = ReturnType<typeof aboutChannel>;

interface Alike<T> {
  value: T;
  channels: Channel[];
  clients: Clients;
}

/** Groups equal changes, so that they share an event. */
function alike<T>(
  changes: Changes,
  what: (channel: Channel, users: readonly number[]) => { key: string; value: T } | undefined,
): Alike<T>[] {
  const batches = new Map<string, Alike<T>>();
  for (const [channel, users] of changes) {
    const found = users.length > 0 ? what(channel, users) : undefined;
    if (!found) continue;
    const key = `${found.key} ${channel.is_archived}`;
    const batch = batches.get(key);
    if (batch) batch.channels.push(channel);
    else batches.set(key, { value: found.value, channels: [channel], clients: aboutChannel(channel) });
  }
  return [...batches.values()];
}

const sameUsers = (_channel: Channel, users: readonly number[]) => ({ key: users.join(), value: users });

/** For users who could not see the channels before. */
export function announceNewlySeen(tx: Transaction, changes: Changes): void {
  for (const { channels, clients, value: users } of alike(changes, sameUsers)) {
    const streams = channels.map((channel) => channelOnWire(tx, channel, tx.now));
    tx.emit({ type: "stream", op: "create", streams, ...clients }, { users });
  }
}

/** For users who can no longer see the channels. */
export function announceNoLongerVisible(tx: Transaction, changes: Changes): void {
  const out = changes.map(([channel, users]): [Channel, number[]] => {
    const blind = users.filter((id) => {
      const user = userById(tx, id);
      return user?.is_active && !canSeeChannel(tx, user, channel);
    });
    return [channel, blind];
  });
  for (const { channels, clients, value: users } of alike(out, sameUsers)) {
    const stream_ids = channels.map(({ id }) => id);
    const streams = stream_ids.map((stream_id) => ({ stream_id }));
    tx.emit({ type: "stream", op: "delete", streams, stream_ids, ...clients }, { users });
  }
}

type Joined = readonly (readonly [Channel, ReadonlyMap<number, PersonalSettings>])[];

/** Subscriber IDs per event. */
const MAX_LISTED = 50_000;

/**
 * Sends one event for all users who joined the same channels. If it would list too many subscribers, sends one for each
 * channel.
 */
export function announceSubscriptions(tx: Transaction, joined: Joined): void {
  for (const archived of [false, true]) {
    let batch: Joined[number][] = [];
    let ids = 0;
    for (const one of joined) {
      if (one[0].is_archived !== archived) continue;
      batch.push(one);
      ids += subscribersOf(tx, one[0].id).ids.length;
      if (ids < MAX_LISTED) continue;
      announceBatch(tx, batch, aboutChannel(one[0]));
      [batch, ids] = [[], 0];
    }
    const [first] = batch;
    if (first) announceBatch(tx, batch, aboutChannel(first[0]));
  }
}

function announceBatch(tx: Transaction, joined: Joined, clients: Clients): void {
  const byUser = new Map<number, [Channel, PersonalSettings][]>();
  for (const [channel, settings] of joined) {
    for (const [userId, own] of settings) {
      addTo(byUser, userId, [channel, own]);
    }
  }
  const batches = new Map<string, Map<number, [Channel, PersonalSettings][]>>();
  for (const [userId, settings] of byUser) {
    const key = settings.map(([{ id }]) => id).join();
    batches.set(key, (batches.get(key) ?? new Map()).set(userId, settings));
  }
  const ids = joined.reduce((sum, [channel]) => sum + subscribersOf(tx, channel.id).ids.length, 0);
  if (joined.length > 1 && batches.size * ids > MAX_LISTED) {
    for (const one of joined) announceBatch(tx, [one], clients);
    return;
  }
  for (const settingsOf of batches.values()) {
    const users = [...settingsOf.keys()].sort((a, b) => a - b);
    const common = settingsOf.get(users[0] as number) ?? [];
    const subscriptions = common.map(([channel, settings]) => subscriptionOnWire(tx, channel, settings, tx.now));
    const own: Record<string, Partial<PersonalSettings>[]> = {};
    for (const [userId, settings] of settingsOf) {
      const differing = settings.map(([, each], at) => personalOverrides(each, common[at]?.[1] as PersonalSettings));
      if (differing.some((one) => Object.keys(one).length > 0)) own[userId] = differing;
    }
    const inherited = inheritedByUser(tx, users);
    tx.emit({ type: "subscription", op: "add", subscriptions, own, inherited, ...clients }, { users });
  }
}

const PERSONAL = SUBSCRIPTION_PROPERTIES.filter((name) => name !== "in_home_view");

const personalOverrides = (one: PersonalSettings, common: PersonalSettings): Partial<PersonalSettings> =>
  Object.fromEntries(PERSONAL.filter((name) => one[name] !== common[name]).map((name) => [name, one[name]]));

/** New subscribers do not get it: their own event contains the list. */
export function announcePeersJoined(tx: Transaction, changes: Changes): void {
  const batches = alike(changes, (channel, user_ids) => {
    const joined = new Set(user_ids);
    const users = usersWhoCanSeeChannel(tx, channel).filter((id) => !joined.has(id));
    return users.length > 0 ? { key: `${user_ids.join()} ${users.join()}`, value: { user_ids, users } } : undefined;
  });
  for (const { channels, clients, value } of batches) {
    const fields = { stream_ids: channels.map(({ id }) => id), user_ids: [...value.user_ids], ...clients };
    tx.emit({ type: "subscription", op: "peer_add", ...fields }, { users: value.users });
  }
}

/** Sends one event per user. */
export function announceRemoved(tx: Transaction, left: ReadonlyMap<number, readonly Channel[]>): void {
  for (const [userId, channels] of left) {
    for (const archived of [false, true]) {
      const removed = channels.filter(({ is_archived }) => is_archived === archived);
      if (removed.length === 0) continue;
      const subscriptions = removed.map(({ id, name }) => ({ stream_id: id, name }));
      const clients = aboutChannel(removed[0] as Channel);
      tx.emit({ type: "subscription", op: "remove", subscriptions, ...clients }, { users: [userId] });
    }
  }
}

/** Users per event. Each gets the IDs of all others, so the size grows with the square. */
const LEAVING_TOGETHER = 100;

/** Users who left and can still see the channel get the IDs of the others. */
export function announcePeersLeft(tx: Transaction, changes: Changes): void {
  const pieces = changes.flatMap(([channel, userIds]) => {
    const cut: [Channel, number[]][] = [];
    for (let at = 0; at < userIds.length; at += LEAVING_TOGETHER)
      cut.push([channel, userIds.slice(at, at + LEAVING_TOGETHER)]);
    return cut;
  });
  const batches = alike(pieces, (channel, user_ids) => {
    const left = new Set(user_ids);
    const seeing = usersWhoCanSeeChannel(tx, channel);
    const users = user_ids.length > 1 ? seeing : seeing.filter((id) => !left.has(id));
    return users.length > 0 ? { key: `${user_ids.join()} ${users.join()}`, value: { user_ids, users } } : undefined;
  });
  for (const { channels, clients, value } of batches) {
    const { user_ids, users } = value;
    const fields = { stream_ids: channels.map(({ id }) => id), user_ids: [...user_ids], ...clients };
    const left = new Set(user_ids);
    const perUserOverrides = new Map(
      users.filter((id) => left.has(id)).map((id) => [id, { user_ids: user_ids.filter((other) => other !== id) }]),
    );
    const audience = { users, ...(perUserOverrides.size > 0 ? { perUserOverrides } : {}) };
    tx.emit({ type: "subscription", op: "peer_remove", ...fields }, audience);
  }
}
