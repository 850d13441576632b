import type { Event } from "../../server/events/catalogue.ts";
import type { WireChannelFolder } from "../../server/queries/channel-folders.ts";
import type { WireChannel } from "../../server/queries/channels.ts";
import type { WireDefaultStreamGroup } from "../../server/queries/default-stream-groups.ts";
import type { WireDraft } from "../../server/queries/drafts.ts";
import type { WireMutedUser } from "../../server/queries/muted-users.ts";
import type { WireNavigationView } from "../../server/queries/navigation-views.ts";
import type { WireOnboardingStep } from "../../server/queries/onboarding-steps.ts";
import type { WireClientPresence, WirePresence } from "../../server/queries/presence.ts";
import type { WireProfileField } from "../../server/queries/profile-fields.ts";
import type { UnreadMessages } from "../../server/queries/read-state.ts";
import type { WireReminder } from "../../server/queries/reminders.ts";
import type { WireSavedSnippet } from "../../server/queries/saved-snippets.ts";
import type { WireScheduledMessage } from "../../server/queries/scheduled-messages.ts";
import type { WireSubscription } from "../../server/queries/subscriptions.ts";
import type { WireMutedTopic, WireTopicPolicy } from "../../server/queries/topics.ts";
import type { WireUserGroup } from "../../server/queries/user-groups.ts";
import type { WireStatus } from "../../server/queries/user-statuses.ts";
import type { WireUser } from "../../server/queries/users.ts";
import { userGroupsChanged } from "./groups-state.ts";
import {
  lifeFollows,
  navigationViewsChanged,
  presenceChanged,
  profileFieldsChanged,
  statusChanged,
} from "./people-state.ts";
import {
  defaultSettingChanged,
  domainsChanged,
  legacySettingChanged,
  organizationChanged,
  peopleChanged,
  userSettingChanged,
  withOwnPermissions,
} from "./settings-state.ts";

type Channel = WireChannel & { subscribers?: readonly number[]; partial_subscribers?: readonly number[] };

/** What POST /register answered with: parts that were not asked for are absent. */
export interface State {
  user_id?: number;
  max_message_id?: number;
  realm_users?: WireUser[];
  realm_non_active_users?: WireUser[];
  realm_user_groups?: WireUserGroup[];
  subscriptions?: WireSubscription[];
  unsubscribed?: WireSubscription[];
  never_subscribed?: Channel[];
  streams?: WireChannel[];
  realm_default_streams?: number[];
  realm_default_stream_groups?: WireDefaultStreamGroup[];
  channel_folders?: WireChannelFolder[];
  user_topics?: WireTopicPolicy[];
  muted_topics?: WireMutedTopic[];
  unread_msgs?: UnreadMessages;
  starred_messages?: number[];
  recent_private_conversations?: { max_message_id: number; user_ids: number[] }[];
  drafts?: WireDraft[];
  saved_snippets?: WireSavedSnippet[];
  scheduled_messages?: WireScheduledMessage[];
  reminders?: WireReminder[];
  alert_words?: string[];
  muted_users?: WireMutedUser[];
  onboarding_steps?: WireOnboardingStep[];
  navigation_views?: WireNavigationView[];
  custom_profile_fields?: WireProfileField[];
  user_status?: Record<string, WireStatus>;
  /** By user id, or by API email in the older form. */
  presences?: Record<string, WirePresence | Record<string, WireClientPresence>>;
  [other: string]: unknown;
}

/** An event as it comes from GET /events. */
export type WireEvent = Event & { readonly id: number };

/**
 * The state after an event: a new object where it changed, the same parts where it did not. The server's tests hold
 * it to this: after any action, a fresh /register equals the older state with the events applied.
 */
export function applyEvent(state: State, event: WireEvent): State {
  switch (event.type) {
    case "message":
      return messageArrived(state, event);
    case "update_message_flags":
      return flagsChanged(state, event);
    case "update_message":
      return messagesEdited(state, event);
    case "delete_message":
      return messagesDeleted(state, "message_ids" in event ? event.message_ids : [event.message_id]);
    case "realm_user":
      return peopleChanged(lifeFollows(state, event), event);
    case "realm":
      return organizationChanged(state, event);
    case "realm_domains":
      return domainsChanged(state, event);
    case "realm_user_settings_defaults":
      return defaultSettingChanged(state, event);
    case "user_settings":
      return userSettingChanged(state, event);
    case "update_display_settings":
    case "update_global_notifications":
      return legacySettingChanged(state, event);
    case "user_group":
      return withOwnPermissions(userGroupsChanged(state, event));
    case "subscription":
      return subscriptionsChanged(state, event);
    case "stream":
      return withMutedTopics(channelsChanged(state, event));
    case "user_topic":
      return topicPolicyChanged(state, event);
    case "muted_topics":
      return { ...state, ...(state.muted_topics && { muted_topics: event.muted_topics }) };
    case "default_streams":
      return { ...state, ...(state.realm_default_streams && { realm_default_streams: event.default_streams }) };
    case "default_stream_groups": {
      const realm_default_stream_groups = event.default_stream_groups;
      return { ...state, ...(state.realm_default_stream_groups && { realm_default_stream_groups }) };
    }
    case "channel_folder":
      return channelFoldersChanged(state, event);
    case "drafts":
      return draftsChanged(state, event);
    case "saved_snippets":
      return savedSnippetsChanged(state, event);
    case "scheduled_messages":
      return scheduledMessagesChanged(state, event);
    case "reminders":
      return remindersChanged(state, event);
    case "alert_words":
      return { ...state, ...(state.alert_words && { alert_words: event.alert_words }) };
    case "muted_users":
      return { ...state, ...(state.muted_users && { muted_users: event.muted_users }) };
    case "onboarding_steps":
      return { ...state, ...(state.onboarding_steps && { onboarding_steps: event.onboarding_steps }) };
    case "navigation_view":
      return navigationViewsChanged(state, event);
    case "custom_profile_fields":
      return profileFieldsChanged(state, event);
    case "user_status":
      return statusChanged(state, event);
    case "presence":
      return presenceChanged(state, event);
    case "reaction":
    case "submessage":
    case "invites_changed":
    case "typing":
    case "typing_edit_message":
    case "heartbeat":
    case "start_anew":
      return state;
    default:
      return unknownEvent(state, event);
  }
}

/** An event type without a case above does not compile; one from a newer server changes nothing. */
const unknownEvent = (state: State, _event: never): State => state;

type Of<Type extends Event["type"]> = Extract<WireEvent, { type: Type }>;

const insert = (ids: readonly number[], more: readonly number[]) =>
  [...new Set([...ids, ...more])].sort((a, b) => a - b);
const without = (ids: readonly number[], gone: ReadonlySet<number>) => ids.filter((id) => !gone.has(id));

// Unread messages

interface Place {
  stream_id?: number;
  topic?: string;
  /** The other people of a direct conversation. */
  user_ids?: readonly number[];
}

function addUnread(unread: UnreadMessages, self: number, id: number, place: Place, mentioned: boolean): UnreadMessages {
  const next = { ...unread, mentions: mentioned ? insert(unread.mentions, [id]) : unread.mentions };
  const put = <Group extends { unread_message_ids: number[] }>(
    groups: Group[],
    found: (group: Group) => boolean,
    fresh: Group,
  ): Group[] => {
    const index = groups.findIndex(found);
    if (index < 0) return [...groups, fresh];
    return groups.map((group, at) =>
      at === index ? { ...group, unread_message_ids: insert(group.unread_message_ids, [id]) } : group,
    );
  };
  if (place.stream_id !== undefined) {
    const { stream_id, topic = "" } = place;
    const key = topic.toLowerCase();
    next.streams = put(next.streams, (group) => group.stream_id === stream_id && group.topic.toLowerCase() === key, {
      topic,
      stream_id,
      unread_message_ids: [id],
    });
  } else {
    const others = place.user_ids ?? [];
    if (others.length > 1) {
      const user_ids_string = insert(others, [self]).join(",");
      next.huddles = put(next.huddles, (group) => group.user_ids_string === user_ids_string, {
        user_ids_string,
        unread_message_ids: [id],
      });
    } else {
      const other = others[0] ?? self;
      next.pms = put(next.pms, (group) => group.other_user_id === other, {
        other_user_id: other,
        sender_id: other,
        unread_message_ids: [id],
      });
    }
  }
  return next;
}

function removeUnread(unread: UnreadMessages, gone: ReadonlySet<number>): UnreadMessages {
  const left = <Group extends { unread_message_ids: number[] }>(groups: Group[]): Group[] =>
    groups
      .map((group) => ({ ...group, unread_message_ids: without(group.unread_message_ids, gone) }))
      .filter((group) => group.unread_message_ids.length > 0);
  return {
    ...unread,
    mentions: without(unread.mentions, gone),
    pms: left(unread.pms),
    streams: left(unread.streams),
    huddles: left(unread.huddles),
  };
}

/** `count` leaves out muted topics, and those of muted channels that have no policy of their own. */
function recount(state: State, unread: UnreadMessages): UnreadMessages {
  const muted = new Set(
    state.subscriptions?.filter((subscription) => subscription.is_muted).map(({ stream_id }) => stream_id),
  );
  const policies = new Map(
    state.user_topics?.map((topic) => [placeKey(topic.stream_id, topic.topic_name), topic.visibility_policy]),
  );
  const counts = ({ stream_id, topic }: { stream_id: number; topic: string }) => {
    const policy = policies.get(placeKey(stream_id, topic));
    return policy === undefined ? !muted.has(stream_id) : policy !== MUTED;
  };
  const groups = [...unread.pms, ...unread.huddles, ...unread.streams.filter(counts)];
  return { ...unread, count: groups.reduce((sum, group) => sum + group.unread_message_ids.length, 0) };
}

const withUnread = (state: State, change: (unread: UnreadMessages, self: number) => UnreadMessages): State =>
  state.unread_msgs ? { ...state, unread_msgs: recount(state, change(state.unread_msgs, state.user_id ?? 0)) } : state;

const MENTIONS = ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];

function messageArrived(state: State, { message, flags }: Of<"message">): State {
  const next = { ...state };
  // A `historical` one did not come to this person by a subscription: a bot was mentioned, or all public channels asked for.
  if (state.max_message_id !== undefined && !flags.includes("historical")) {
    next.max_message_id = Math.max(state.max_message_id, message.id);
  }
  const people =
    typeof message.display_recipient === "string" ? undefined : message.display_recipient.map(({ id }) => id);
  const user_ids = people?.filter((id) => id !== state.user_id);
  if (user_ids && state.recent_private_conversations) {
    const key = user_ids.join();
    const others = state.recent_private_conversations.filter((conversation) => conversation.user_ids.join() !== key);
    next.recent_private_conversations = [{ max_message_id: message.id, user_ids }, ...others];
  }
  if (flags.includes("read")) return next;
  const place: Place = user_ids ? { user_ids } : { stream_id: message.stream_id as number, topic: message.subject };
  const mentioned = flags.some((flag) => MENTIONS.includes(flag));
  return withUnread(next, (unread, self) => {
    const added = addUnread(unread, self, message.id, place, mentioned);
    // A topic is spelled as its newest message spells it.
    const streams = added.streams.map((group) =>
      group.unread_message_ids.at(-1) === message.id ? { ...group, topic: message.subject } : group,
    );
    return { ...added, streams };
  });
}

function flagsChanged(state: State, event: Of<"update_message_flags">): State {
  const ids = new Set(event.messages);
  if (event.flag === "starred" && state.starred_messages) {
    const { starred_messages } = state;
    return {
      ...state,
      starred_messages: event.op === "add" ? insert(starred_messages, event.messages) : without(starred_messages, ids),
    };
  }
  if (event.flag !== "read") return state;
  if (event.op === "add") return withUnread(state, (unread) => removeUnread(unread, ids));
  return withUnread(state, (unread, self) => {
    let next = unread;
    for (const [id, details] of Object.entries(event.message_details ?? {})) {
      next = addUnread(next, self, Number(id), details, details.mentioned === true);
    }
    return next;
  });
}

function messagesEdited(state: State, event: Of<"update_message">): State {
  const moved = messagesMoved(state, event);
  const unread = moved.unread_msgs;
  if (!unread) return moved;
  const { message_id, flags } = event;
  const isUnread = [...unread.streams, ...unread.pms, ...unread.huddles].some((group) =>
    group.unread_message_ids.includes(message_id),
  );
  const mentions = isUnread && flags.some((flag) => MENTIONS.includes(flag));
  if (mentions === unread.mentions.includes(message_id)) return moved;
  return withUnread(moved, () => ({
    ...unread,
    mentions: mentions ? insert(unread.mentions, [message_id]) : without(unread.mentions, new Set([message_id])),
  }));
}

function messagesMoved(state: State, event: Of<"update_message">): State {
  const { new_stream_id, subject } = event;
  if (new_stream_id === undefined && subject === undefined) return state;
  const moved = new Set(event.message_ids);
  return withUnread(state, (unread, self) => {
    let next = unread;
    for (const group of unread.streams) {
      for (const id of group.unread_message_ids) {
        if (!moved.has(id)) continue;
        const mentioned = unread.mentions.includes(id);
        next = removeUnread(next, new Set([id]));
        next = addUnread(
          next,
          self,
          id,
          { stream_id: new_stream_id ?? group.stream_id, topic: subject ?? group.topic },
          mentioned,
        );
      }
    }
    return next;
  });
}

function messagesDeleted(state: State, messageIds: readonly number[]): State {
  const gone = new Set(messageIds);
  const next = withUnread(state, (unread) => removeUnread(unread, gone));
  return state.starred_messages ? { ...next, starred_messages: without(state.starred_messages, gone) } : next;
}

// Topics

/** visibility_policy */
const [NONE, MUTED] = [0, 1];

const placeKey = (streamId: number, topic: string) => `${streamId} ${topic.normalize("NFC").toLowerCase()}`;

function topicPolicyChanged(state: State, { type: _type, id: _id, ...changed }: Of<"user_topic">): State {
  if (!state.user_topics) return state;
  const key = placeKey(changed.stream_id, changed.topic_name);
  const others = state.user_topics.filter((topic) => placeKey(topic.stream_id, topic.topic_name) !== key);
  const user_topics = changed.visibility_policy === NONE ? others : [...others, changed];
  return withUnread({ ...state, user_topics }, (unread) => unread);
}

/** The older list names channels: it follows what the person sees of them, and how they are called. */
function withMutedTopics(state: State): State {
  const { user_topics, muted_topics, streams } = state;
  if (!user_topics || !muted_topics || !streams) return state;
  const names = new Map(streams.filter((channel) => !channel.is_archived).map((one) => [one.stream_id, one.name]));
  return {
    ...state,
    muted_topics: user_topics.flatMap((topic): WireMutedTopic[] => {
      const name = names.get(topic.stream_id);
      return topic.visibility_policy === MUTED && name !== undefined
        ? [[name, topic.topic_name, topic.last_updated]]
        : [];
    }),
  };
}

// Channels

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

function channelsChanged(state: State, event: Of<"stream">): State {
  switch (event.op) {
    case "create":
      return inLists(state, (channels, list) => {
        if (list === "subscriptions") return channels;
        const fresh = event.streams.filter(
          ({ stream_id }) => !channels.some((channel) => channel.stream_id === stream_id),
        );
        const known = (id: number) =>
          [...(state.subscriptions ?? []), ...(state.unsubscribed ?? [])].some(({ stream_id }) => stream_id === id);
        // A new channel's subscribers follow as peer_add, where this state lists subscribers at all.
        const listing = [...(state.subscriptions ?? []), ...(state.never_subscribed ?? [])].every(
          (channel) => "subscribers" in channel,
        );
        const listed =
          list === "streams"
            ? fresh.map(withoutPersonal)
            : fresh
                // Whoever was subscribed once gets their own settings beside the channel.
                .filter((channel) => "color" in channel === (list === "unsubscribed"))
                .filter(({ stream_id }) => !known(stream_id))
                .map((channel) => (listing ? { ...channel, subscribers: [] } : channel));
        return [...channels, ...(listed as unknown as typeof channels)];
      });
    case "delete": {
      const gone = new Set(event.stream_ids);
      return inLists(state, (channels) => channels.filter(({ stream_id }) => !gone.has(stream_id)));
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

function subscriptionsChanged(state: State, event: Of<"subscription">): State {
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
      const gone = new Set(event.subscriptions.map(({ stream_id }) => stream_id));
      const leave = <C extends Channel>(channel: C): C =>
        gone.has(channel.stream_id) ? membersLeft(channel, new Set([self])) : channel;
      const left = (state.subscriptions ?? []).filter(({ stream_id }) => gone.has(stream_id)).map(leave);
      const next = inLists(state, (channels, list) =>
        list === "subscriptions" ? channels.filter(({ stream_id }) => !gone.has(stream_id)) : channels.map(leave),
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

function channelFoldersChanged(state: State, event: Of<"channel_folder">): State {
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

// What one keeps for later

/** The list without the things of these ids, and with the new ones in their places. */
function put<T>(
  list: readonly T[],
  idOf: (thing: T) => number,
  gone: readonly number[],
  fresh: readonly T[],
  order: (a: T, b: T) => number,
): T[] {
  const replaced = new Set([...gone, ...fresh.map(idOf)]);
  return [...list.filter((thing) => !replaced.has(idOf(thing))), ...fresh].sort(order);
}

function draftsChanged(state: State, event: Of<"drafts">): State {
  if (!state.drafts) return state;
  const gone = event.op === "remove" ? [event.draft_id] : [];
  const fresh = event.op === "add" ? event.drafts : event.op === "update" ? [event.draft] : [];
  const newestFirst = (a: WireDraft, b: WireDraft) => b.timestamp - a.timestamp || b.id - a.id;
  return { ...state, drafts: put(state.drafts, ({ id }) => id, gone, fresh, newestFirst) };
}

function savedSnippetsChanged(state: State, event: Of<"saved_snippets">): State {
  if (!state.saved_snippets) return state;
  const gone = event.op === "remove" ? [event.saved_snippet_id] : [];
  const fresh = event.op === "remove" ? [] : [event.saved_snippet];
  const oldestFirst = (a: WireSavedSnippet, b: WireSavedSnippet) => a.id - b.id;
  return { ...state, saved_snippets: put(state.saved_snippets, ({ id }) => id, gone, fresh, oldestFirst) };
}

const nextFirst =
  <T extends { scheduled_delivery_timestamp: number }>(idOf: (thing: T) => number) =>
  (a: T, b: T): number =>
    a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || idOf(a) - idOf(b);

function scheduledMessagesChanged(state: State, event: Of<"scheduled_messages">): State {
  if (!state.scheduled_messages) return state;
  const idOf = (message: WireScheduledMessage) => message.scheduled_message_id;
  const gone = event.op === "remove" ? [event.scheduled_message_id] : [];
  const fresh = event.op === "add" ? event.scheduled_messages : event.op === "update" ? [event.scheduled_message] : [];
  return { ...state, scheduled_messages: put(state.scheduled_messages, idOf, gone, fresh, nextFirst(idOf)) };
}

function remindersChanged(state: State, event: Of<"reminders">): State {
  if (!state.reminders) return state;
  const idOf = (reminder: WireReminder) => reminder.reminder_id;
  const gone = event.op === "remove" ? [event.reminder_id] : [];
  const fresh = event.op === "add" ? event.reminders : [];
  return { ...state, reminders: put(state.reminders, idOf, gone, fresh, nextFirst(idOf)) };
}
