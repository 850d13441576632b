import type { Channel, State } from "../../api/state-shape.ts";

export type Person = NonNullable<State["realm_users"]>[number];
export type Subscription = NonNullable<State["subscriptions"]>[number];

/** Caches a value that is computed from an object of the state. A changed state has new objects. */
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

/** Active and deactivated people, and bots, including the server's own. */
export const personById = (state: State, id: number): Person | undefined =>
  byId(state.realm_users ?? NO_PEOPLE).get(id) ??
  byId(state.realm_non_active_users ?? NO_PEOPLE).get(id) ??
  byId((state.cross_realm_bots as Person[] | undefined) ?? NO_PEOPLE).get(id);

const channelsById = derived(
  (channels: readonly Channel[]) => new Map(channels.map((channel) => [channel.stream_id, channel])),
);
const NO_CHANNELS: Channel[] = [];

export const channelById = (state: State, id: number): Channel | undefined =>
  subscriptionTo(state, id) ??
  channelsById(state.unsubscribed ?? NO_CHANNELS).get(id) ??
  channelsById(state.never_subscribed ?? NO_CHANNELS).get(id);

export const subscriptionTo = (state: State, id: number): Subscription | undefined =>
  channelsById(state.subscriptions ?? NO_CHANNELS).get(id) as Subscription | undefined;

export const allChannels = ({
  subscriptions = [],
  unsubscribed = [],
  never_subscribed = [],
}: State): readonly Channel[] => [...subscriptions, ...unsubscribed, ...never_subscribed];

/** Ignores letter case. */
export function channelNamed(state: State, name: string): Channel | undefined {
  const wanted = name.trim().toLocaleLowerCase();
  return allChannels(state).find((channel) => channel.name.toLocaleLowerCase() === wanted);
}

/** The ids of the other people of a group conversation, ascending. */
export const othersOf = (userIds: string, self: number): number[] =>
  userIds
    .split(",")
    .map(Number)
    .filter((id) => id !== self)
    .sort((a, b) => a - b);

export function presenceOf(state: State, userId: number, now: number): "active" | "idle" | "offline" {
  const presence = state.presences?.[userId] as { active_timestamp?: number; idle_timestamp?: number } | undefined;
  const limit = state.server_presence_offline_threshold_seconds ?? 200;
  const ago = (timestamp = 0) => now / 1000 - timestamp;
  if (!presence) return "offline";
  if (ago(presence.active_timestamp) < limit) return "active";
  return ago(presence.idle_timestamp) < limit ? "idle" : "offline";
}

/** The sidebar's groups of subscribed channels: pinned channels, each folder in order, then the others. */
export interface ChannelGroup {
  /** Undefined for pinned channels and channels without a folder. */
  readonly folder: string | undefined;
  readonly folderId: number | undefined;
  readonly key: string;
  readonly channels: readonly Subscription[];
}

const { compare } = new Intl.Collator(undefined, { numeric: true });
const sortedByName = derived((subscriptions: readonly Subscription[]) =>
  subscriptions.toSorted((a, b) => Number(a.is_muted) - Number(b.is_muted) || compare(a.name, b.name)),
);
const NO_SUBSCRIPTIONS: Subscription[] = [];
const grouped = new WeakMap<readonly Subscription[], { folders: State["channel_folders"]; groups: ChannelGroup[] }>();

/** The same array until a subscription or folder changes. */
export function channelGroups({ subscriptions = NO_SUBSCRIPTIONS, channel_folders: folders }: State): ChannelGroup[] {
  const cached = grouped.get(subscriptions);
  if (cached && cached.folders === folders) return cached.groups;
  const groups = groupChannels(sortedByName(subscriptions), folders ?? []);
  grouped.set(subscriptions, { folders, groups });
  return groups;
}

function groupChannels(
  sorted: readonly Subscription[],
  allFolders: NonNullable<State["channel_folders"]>,
): ChannelGroup[] {
  const folders = allFolders.filter(({ is_archived }) => !is_archived).sort((a, b) => a.order - b.order);
  const known = new Set(folders.map(({ id }) => id));
  const unpinned = sorted.filter(({ pin_to_top }) => !pin_to_top);
  const groups: ChannelGroup[] = [
    { key: "pinned", folder: undefined, folderId: undefined, channels: sorted.filter(({ pin_to_top }) => pin_to_top) },
    ...folders.map(({ id, name }) => ({
      key: `folder ${id}`,
      folder: name,
      folderId: id,
      channels: unpinned.filter(({ folder_id }) => folder_id === id),
    })),
    {
      key: "others",
      folder: undefined,
      folderId: undefined,
      channels: unpinned.filter(({ folder_id }) => folder_id === null || !known.has(folder_id)),
    },
  ];
  return groups.filter(({ channels }) => channels.length > 0);
}
