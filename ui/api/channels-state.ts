import type { WireChannelFolder } from "../../server/api/presenters/channel-folders.ts";
import type { WireSubscription } from "../../server/api/presenters/subscriptions.ts";
import { insert, without } from "./id-lists.ts";
import type { Channel, Of, State } from "./state-shape.ts";
import { withUnread } from "./unread-state.ts";

const LISTS = ["subscriptions", "unsubscribed", "never_subscribed", "streams"] as const;
type Lists = Pick<State, (typeof LISTS)[number]>;

/** Applies `change` to every list of channels that the state has. */
function inLists(state: State, change: <C extends Channel>(channels: C[], list: (typeof LISTS)[number]) => C[]): State {
  const next: Lists = {};
  for (const list of LISTS) {
    const channels = state[list];
    if (channels) (next as Record<string, Channel[]>)[list] = change(channels as Channel[], list);
  }
  return { ...state, ...next };
}

const PERSONAL = new Set<string>([
  "email_address",
  "color",
  "is_muted",
  "in_home_view",
  "pin_to_top",
  "desktop_notifications",
  "audible_notifications",
  "push_notifications",
  "email_notifications",
  "wildcard_mentions_notify",
] satisfies (keyof WireSubscription)[]);

const withoutPersonal = <C extends object>(channel: C): C =>
  Object.fromEntries(Object.entries(channel).filter(([name]) => !PERSONAL.has(name))) as C;

export function channelsChanged(state: State, event: Of<"stream">): State {
  switch (event.op) {
    case "create":
      return inLists(state, (channels, list) => {
        if (list === "subscriptions") return channels;
        const added = event.streams.filter(
          ({ stream_id }) => !channels.some((channel) => channel.stream_id === stream_id),
        );
        const isListed = (id: number) =>
          [...(state.subscriptions ?? []), ...(state.unsubscribed ?? [])].some(({ stream_id }) => stream_id === id);
        // The subscribers of a new channel follow as peer_add, if this state lists subscribers.
        const hasSubscribers = [...(state.subscriptions ?? []), ...(state.never_subscribed ?? [])].every(
          (channel) => "subscribers" in channel,
        );
        const listed =
          list === "streams"
            ? added.map(withoutPersonal)
            : added
                // Only former subscribers receive their personal settings with the channel.
                .filter((channel) => "color" in channel === (list === "unsubscribed"))
                .filter(({ stream_id }) => !isListed(stream_id))
                .map((channel) => (hasSubscribers ? { ...channel, subscribers: [] } : channel));
        return [...channels, ...(listed as unknown as typeof channels)];
      });
    case "delete": {
      const removed = new Set(event.stream_ids);
      return inLists(state, (channels) => channels.filter(({ stream_id }) => !removed.has(stream_id)));
    }
    case "update": {
      const { type: _type, op: _op, id: _id, stream_id, name: _name, property, value, ...beside } = event;
      return inLists(state, (channels) =>
        channels.map((channel) =>
          channel.stream_id === stream_id ? { ...channel, [property]: value, ...beside } : channel,
        ),
      );
    }
  }
}

export function subscriptionsChanged(state: State, event: Of<"subscription">): State {
  switch (event.op) {
    case "add": {
      const ids = new Set(event.subscriptions.map(({ stream_id }) => stream_id));
      const counts = new Map(
        event.subscriptions.map(({ stream_id, subscriber_count }) => [stream_id, subscriber_count]),
      );
      const next = inLists(state, (channels, list) =>
        list === "streams"
          ? channels.map((channel) => ({
              ...channel,
              subscriber_count: counts.get(channel.stream_id) ?? channel.subscriber_count,
            }))
          : channels.filter(({ stream_id }) => !ids.has(stream_id)),
      );
      return next.subscriptions ? { ...next, subscriptions: [...next.subscriptions, ...event.subscriptions] } : next;
    }
    case "remove": {
      const self = state.user_id ?? 0;
      const removed = new Set(event.subscriptions.map(({ stream_id }) => stream_id));
      const leave = <C extends Channel>(channel: C): C =>
        removed.has(channel.stream_id) ? membersLeft(channel, new Set([self])) : channel;
      const left = (state.subscriptions ?? []).filter(({ stream_id }) => removed.has(stream_id)).map(leave);
      const next = inLists(state, (channels, list) =>
        list === "subscriptions" ? channels.filter(({ stream_id }) => !removed.has(stream_id)) : channels.map(leave),
      );
      return next.unsubscribed ? { ...next, unsubscribed: [...next.unsubscribed, ...left] } : next;
    }
    case "update": {
      const { stream_id, property, value } = event;
      const changed = (subscription: WireSubscription) =>
        subscription.stream_id === stream_id ? { ...subscription, [property]: value } : subscription;
      if (!state.subscriptions) return state;
      return withUnread({ ...state, subscriptions: state.subscriptions.map(changed) }, (unread) => unread);
    }
    case "peer_add":
    case "peer_remove": {
      const channelIds = new Set(event.stream_ids);
      const people = new Set(event.user_ids);
      return inLists(state, (channels) =>
        channels.map((channel) => {
          if (!channelIds.has(channel.stream_id)) return channel;
          return event.op === "peer_add" ? membersJoined(channel, event.user_ids) : membersLeft(channel, people);
        }),
      );
    }
  }
}

function membersJoined<C extends Channel>(channel: C, people: readonly number[]): C {
  const next: Channel = { ...channel, subscriber_count: channel.subscriber_count + people.length };
  if (channel.subscribers) next.subscribers = insert(channel.subscribers, people);
  if (channel.partial_subscribers) next.partial_subscribers = insert(channel.partial_subscribers, people);
  return next as C;
}

function membersLeft<C extends Channel>(channel: C, people: ReadonlySet<number>): C {
  const next: Channel = { ...channel, subscriber_count: channel.subscriber_count - people.size };
  if (channel.subscribers) next.subscribers = without(channel.subscribers, people);
  if (channel.partial_subscribers) next.partial_subscribers = without(channel.partial_subscribers, people);
  return next as C;
}

export function channelFoldersChanged(state: State, event: Of<"channel_folder">): State {
  const folders = state.channel_folders;
  if (!folders) return state;
  switch (event.op) {
    case "add":
      return { ...state, channel_folders: [...folders, event.channel_folder] };
    case "update": {
      const changed = (folder: WireChannelFolder) =>
        folder.id === event.channel_folder_id ? { ...folder, ...event.data } : folder;
      return { ...state, channel_folders: folders.map(changed) };
    }
    case "reorder": {
      const placed = folders.map((folder) => ({ ...folder, order: event.order.indexOf(folder.id) }));
      return { ...state, channel_folders: placed.sort((a, b) => a.order - b.order) };
    }
  }
}
