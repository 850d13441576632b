import type { Channel, State } from "../../api/state-shape.ts";
import { type Narrow, narrowKey } from "./narrow.ts";

export type Person = NonNullable<State["realm_users"]>[number];
export type Subscription = NonNullable<State["subscriptions"]>[number];

/** What is computed from an object of the state, once for each: a changed state has new objects. */
function derived<From extends object, T>(compute: (from: From) => T): (from: From) => T {
  const computed = new WeakMap<From, T>();
  return (from) => {
    const value = computed.get(from) ?? compute(from);
    computed.set(from, value);
    return value;
  };
}

const byId = derived((people: Person[]) => new Map(people.map((person) => [person.user_id, person])));
const NO_PEOPLE: Person[] = [];

/** Active and deactivated people, and bots: the server's own among them, who write of what happens. */
export const personById = (state: State, id: number): Person | undefined =>
  byId(state.realm_users ?? NO_PEOPLE).get(id) ??
  byId(state.realm_non_active_users ?? NO_PEOPLE).get(id) ??
  byId((state.cross_realm_bots as Person[] | undefined) ?? NO_PEOPLE).get(id);

const channelsById = derived(
  (channels: readonly Channel[]) => new Map(channels.map((channel) => [channel.stream_id, channel])),
);
const NO_CHANNELS: Channel[] = [];

/** A channel that the viewer may know of, subscribed or not. */
export const channelById = (state: State, id: number): Channel | undefined =>
  subscriptionTo(state, id) ??
  channelsById(state.unsubscribed ?? NO_CHANNELS).get(id) ??
  channelsById(state.never_subscribed ?? NO_CHANNELS).get(id);

export const subscriptionTo = (state: State, id: number): Subscription | undefined =>
  channelsById(state.subscriptions ?? NO_CHANNELS).get(id) as Subscription | undefined;

type Unread = NonNullable<State["unread_msgs"]>;

interface UnreadCounts {
  /** By the key of a topic or direct conversation. */
  readonly conversations: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<number, number>;
  readonly direct: number;
}

/** The other people of a group conversation, ascending. */
export const othersOf = (userIds: string, self: number): number[] =>
  userIds
    .split(",")
    .map(Number)
    .filter((id) => id !== self)
    .sort((a, b) => a - b);

const countsBySelf = derived((unread: Unread) => {
  const counts = new Map<number, UnreadCounts>();
  return (self: number): UnreadCounts => {
    const found = counts.get(self) ?? countUnread(unread, self);
    counts.set(self, found);
    return found;
  };
});

function countUnread({ streams, pms, huddles }: Unread, self: number): UnreadCounts {
  const conversations = new Map<string, number>();
  const channels = new Map<number, number>();
  const add = (narrow: Narrow, count: number) => {
    const key = narrowKey(narrow);
    conversations.set(key, (conversations.get(key) ?? 0) + count);
    return count;
  };
  for (const { stream_id, topic, unread_message_ids } of streams) {
    const count = add({ kind: "topic", channelId: stream_id, topic }, unread_message_ids.length);
    channels.set(stream_id, (channels.get(stream_id) ?? 0) + count);
  }
  let direct = 0;
  for (const { other_user_id, unread_message_ids } of pms)
    direct += add({ kind: "direct", userIds: [other_user_id] }, unread_message_ids.length);
  for (const { user_ids_string, unread_message_ids } of huddles)
    direct += add({ kind: "direct", userIds: othersOf(user_ids_string, self) }, unread_message_ids.length);
  return { conversations, channels, direct };
}

const NOTHING: UnreadCounts = { conversations: new Map(), channels: new Map(), direct: 0 };
export const unreadCounts = ({ unread_msgs, user_id = 0 }: State): UnreadCounts =>
  unread_msgs ? countsBySelf(unread_msgs)(user_id) : NOTHING;

/** Whether somebody did something lately: "active", "idle" within the last day's hour, or "offline". */
export function presenceOf(state: State, userId: number, now: number): "active" | "idle" | "offline" {
  const presence = state.presences?.[userId] as { active_timestamp?: number; idle_timestamp?: number } | undefined;
  const limit = state.server_presence_offline_threshold_seconds ?? 200;
  const ago = (timestamp = 0) => now / 1000 - timestamp;
  if (!presence) return "offline";
  if (ago(presence.active_timestamp) < limit) return "active";
  return ago(presence.idle_timestamp) < limit ? "idle" : "offline";
}

/** Subscribed channels as the sidebar has them: pinned ones, then each folder in its order, then the rest. */
export interface ChannelGroup {
  /** Undefined for pinned channels and for those without a folder. */
  readonly folder: string | undefined;
  readonly key: string;
  readonly channels: readonly Subscription[];
}

const byName = (a: Subscription, b: Subscription) => a.name.localeCompare(b.name, undefined, { numeric: true });

export function channelGroups({ subscriptions = [], channel_folders = [] }: State): ChannelGroup[] {
  const sorted = [...subscriptions].sort((a, b) => Number(a.is_muted) - Number(b.is_muted) || byName(a, b));
  const folders = channel_folders.filter(({ is_archived }) => !is_archived).sort((a, b) => a.order - b.order);
  const known = new Set(folders.map(({ id }) => id));
  const unpinned = sorted.filter(({ pin_to_top }) => !pin_to_top);
  const groups: ChannelGroup[] = [
    { key: "pinned", folder: undefined, channels: sorted.filter(({ pin_to_top }) => pin_to_top) },
    ...folders.map(({ id, name }) => ({
      key: `folder ${id}`,
      folder: name,
      channels: unpinned.filter(({ folder_id }) => folder_id === id),
    })),
    {
      key: "others",
      folder: undefined,
      channels: unpinned.filter(({ folder_id }) => folder_id === null || !known.has(folder_id)),
    },
  ];
  return groups.filter(({ channels }) => channels.length > 0);
}
