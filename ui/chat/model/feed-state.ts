import type { Answer } from "../../api/client.ts";
import type { Of, WireEvent } from "../../api/state-shape.ts";
import { isSameTopic } from "../../parts/folded.ts";
import type { Narrow } from "./narrow.ts";

export type Message = Answer<"GET /messages">["messages"][number];

/** A range of the messages of one narrow, without gaps, ascending by id. */
export interface FeedState {
  readonly messages: readonly Message[];
  /** Whether the range includes the oldest and the newest message. */
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly isLoaded: boolean;
  /** The first unread message when the feed was last opened. */
  readonly firstUnread: number | undefined;
  readonly error: unknown;
  /** The end at which loading failed. */
  readonly failed?: "older" | "newer" | undefined;
}

export const EMPTY_FEED: FeedState = {
  messages: [],
  foundOldest: false,
  foundNewest: false,
  isLoaded: false,
  firstUnread: undefined,
  error: undefined,
};

/** Whether messages arrived at the end of a feed that was loaded to its end. */
export const hasArrival = (before: FeedState, after: FeedState): boolean =>
  before.isLoaded &&
  before.foundNewest &&
  after.foundNewest &&
  (after.messages.at(-1)?.id ?? 0) > (before.messages.at(-1)?.id ?? 0);

/** Loading more messages at one end removes messages at the other end. */
export const MAX_LOADED = 160;
/** The user may be reading older messages, so arriving messages remove them later. */
const MAX_WITH_ARRIVED = 200;

/** Decides whether an arriving message belongs to a view of several conversations. */
export interface Viewer {
  readonly userId: number;
  isMuted(channelId: number, topic: string): boolean;
  isFollowed(channelId: number, topic: string): boolean;
}

const MENTIONS = ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];

/** The ids of the other people of a direct message, ascending. Notes to self have the user's own id. */
export function othersIn(message: Pick<Message, "display_recipient">, self: number): number[] {
  if (typeof message.display_recipient === "string") return [];
  const ids = message.display_recipient.map(({ id }) => id).sort((a, b) => a - b);
  return ids.length === 1 ? ids : ids.filter((id) => id !== self);
}

/** Whether a narrow shows the message; undefined if only the server knows. */
export function shows(narrow: Narrow, message: Message, viewer: Viewer): boolean | undefined {
  const { stream_id: channelId, subject: topic } = message;
  switch (narrow.kind) {
    case "channel":
      return message.stream_id === narrow.channelId;
    case "topic":
      return message.stream_id === narrow.channelId && isSameTopic(message.subject, narrow.topic);
    case "direct":
      return message.type === "private" && othersIn(message, viewer.userId).join() === narrow.userIds.join();
    case "mentions":
      return message.flags.some((flag) => MENTIONS.includes(flag));
    case "starred":
      return message.flags.includes("starred");
    case "directs":
      return message.type === "private";
    case "feed":
      return message.type === "private" || channelId === undefined || !viewer.isMuted(channelId, topic);
    case "followed":
      return channelId !== undefined && viewer.isFollowed(channelId, topic);
    case "reactions":
      return message.sender_id === viewer.userId && message.reactions.length > 0;
    case "search":
      return undefined;
  }
}

/** The topic or direct conversation of a message. */
export const conversationOf = (message: Message, self: number): Narrow =>
  message.stream_id === undefined
    ? { kind: "direct", userIds: othersIn(message, self) }
    : { kind: "topic", channelId: message.stream_id, topic: message.subject };

const without = (feed: FeedState, ids: ReadonlySet<number>): FeedState =>
  feed.messages.some(({ id }) => ids.has(id))
    ? { ...feed, messages: feed.messages.filter(({ id }) => !ids.has(id)) }
    : feed;

function changed(feed: FeedState, ids: ReadonlySet<number>, change: (message: Message) => Message): FeedState {
  if (!feed.messages.some(({ id }) => ids.has(id))) return feed;
  return { ...feed, messages: feed.messages.map((message) => (ids.has(message.id) ? change(message) : message)) };
}

/** Applies an event; "reload" if only the server knows the result. */
export function feedAfter(feed: FeedState, narrow: Narrow, event: WireEvent, viewer: Viewer): FeedState | "reload" {
  switch (event.type) {
    case "message":
      return arrived(feed, narrow, event, viewer);
    case "update_message":
      return edited(feed, narrow, event, viewer);
    case "delete_message":
      return without(feed, new Set("message_ids" in event ? event.message_ids : [event.message_id]));
    case "reaction":
      return changed(feed, new Set([event.message_id]), (message) => reacted(message, event));
    case "update_message_flags":
      return flagsChanged(feed, narrow, event);
    case "submessage":
      return changed(feed, new Set([event.message_id]), (message) => attached(message, event));
    default:
      return feed;
  }
}

function arrived(feed: FeedState, narrow: Narrow, event: Of<"message">, viewer: Viewer): FeedState {
  if (!feed.isLoaded || !feed.foundNewest) return feed;
  const message: Message = { ...event.message, flags: event.flags };
  if (!shows(narrow, message, viewer) || feed.messages.some(({ id }) => id === message.id)) return feed;
  const messages = [...feed.messages, message].sort((a, b) => a.id - b.id);
  if (messages.length <= MAX_WITH_ARRIVED) return { ...feed, messages };
  return { ...feed, messages: messages.slice(-MAX_LOADED), foundOldest: false };
}

function edited(feed: FeedState, narrow: Narrow, event: Of<"update_message">, viewer: Viewer): FeedState | "reload" {
  let next = feed;
  if (event.rendered_content !== undefined) {
    const { rendered_content: content, is_me_message } = event;
    next = changed(next, new Set([event.message_id]), (message) => ({
      ...message,
      content,
      ...(is_me_message !== undefined && { is_me_message }),
      ...(!event.rendering_only && { last_edit_timestamp: event.edit_timestamp }),
      flags: withReadOf(message.flags, event.flags),
    }));
  }
  const { new_stream_id, subject } = event;
  if (new_stream_id === undefined && subject === undefined) return next;
  const moved = new Set(event.message_ids);
  next = changed(next, moved, (message) => ({
    ...message,
    ...(new_stream_id !== undefined && { stream_id: new_stream_id }),
    ...(subject !== undefined && { subject }),
    ...(event.topic_links && { topic_links: event.topic_links }),
    last_moved_timestamp: event.edit_timestamp,
  }));
  const messages = next.messages.filter((message) => shows(narrow, message, viewer) !== false);
  const known = new Set(feed.messages.map(({ id }) => id));
  const movedHere = movesInto(narrow, event) && event.message_ids.some((id) => !known.has(id));
  if (movedHere) return "reload";
  return messages.length === next.messages.length ? next : { ...next, messages };
}

/** Edits change the mention flags, but not whether the message is read or starred. */
const withReadOf = (before: readonly string[], after: readonly string[]): string[] => [
  ...before.filter((flag) => !MENTIONS.includes(flag)),
  ...after.filter((flag) => MENTIONS.includes(flag)),
];

function movesInto(narrow: Narrow, { stream_id, new_stream_id, subject }: Of<"update_message">): boolean {
  const channelId = new_stream_id ?? stream_id;
  if (narrow.kind === "channel") return new_stream_id === narrow.channelId;
  return (
    narrow.kind === "topic" &&
    channelId === narrow.channelId &&
    (subject === undefined || isSameTopic(subject, narrow.topic))
  );
}

type Reacted = Pick<Of<"reaction">, "op" | "user_id" | "emoji_name" | "emoji_code" | "reaction_type">;

export function reacted(message: Message, event: Reacted): Message {
  const { emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = message.reactions.filter(
    (one) => !(one.user_id === user_id && one.emoji_code === emoji_code && one.reaction_type === reaction_type),
  );
  if (event.op === "remove") return { ...message, reactions: others };
  return { ...message, reactions: [...others, { emoji_name, emoji_code, reaction_type, user_id }] };
}

/** Adds a vote or task, unless the message was loaded with it. */
export function attached(
  message: Message,
  { submessage_id: id, ...event }: Pick<Of<"submessage">, "submessage_id" | "message_id" | "sender_id" | "content">,
): Message {
  if (message.submessages.some((one) => one.id === id)) return message;
  const { message_id, sender_id, content } = event;
  return {
    ...message,
    submessages: [...message.submessages, { id, message_id, sender_id, msg_type: "widget", content }],
  };
}

export function flagged(message: Message, { op, flag }: Pick<Of<"update_message_flags">, "op" | "flag">): Message {
  const others = message.flags.filter((one) => one !== flag);
  return { ...message, flags: op === "add" ? [...others, flag] : others };
}

function flagsChanged(feed: FeedState, narrow: Narrow, event: Of<"update_message_flags">): FeedState {
  const { op, flag, messages, all } = event;
  const ids = new Set(all ? feed.messages.map(({ id }) => id) : messages);
  const next = changed(feed, ids, (message) => flagged(message, event));
  return narrow.kind === "starred" && flag === "starred" && op === "remove" ? without(next, ids) : next;
}
