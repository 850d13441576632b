import type { WireChannel } from "../queries/channels.ts";
import type { WireDraft } from "../queries/drafts.ts";
import type { WireMessage } from "../queries/messages.ts";
import type { WireReaction } from "../queries/reactions.ts";
import type { WireReminder } from "../queries/reminders.ts";
import type { WireSavedSnippet } from "../queries/saved-snippets.ts";
import type { WireScheduledMessage } from "../queries/scheduled-messages.ts";
import type { WireSubmessage } from "../queries/submessages.ts";
import type { WireSubscription } from "../queries/subscriptions.ts";
import { displayedTopic, type Policy, type WireMutedTopic } from "../queries/topics.ts";
import type { WireUser } from "../queries/users.ts";

/**
 * Every event type, once: the canonical form in which actions emit it and the log keeps it. Wire forms that depend
 * on what a client can do are made by `forms` below. Shapes: contract/events.json with newer.json.
 */
export interface Events {
  message: {
    type: "message";
    /** `content` is the rendered HTML, `subject` the topic itself ("" where it is empty). */
    message: WireMessage;
    raw_content: string;
    flags: string[];
  };
  update_message_flags: {
    type: "update_message_flags";
    op: "add" | "remove";
    operation: "add" | "remove";
    flag: string;
    messages: number[];
    all: boolean;
    /** When `read` is removed: what a client needs to count them as unread again. */
    message_details?: Record<string, MessageDetails>;
  };
  update_message: {
    type: "update_message";
    user_id: number | null;
    rendering_only: boolean;
    message_id: number;
    message_ids: number[];
    flags: string[];
    edit_timestamp: number;
    stream_id?: number;
    stream_name?: string;
    new_stream_id?: number;
    propagate_mode?: string;
    orig_subject?: string;
    subject?: string;
    topic_links?: { text: string; url: string }[];
    orig_content?: string;
    orig_rendered_content?: string;
    content?: string;
    rendered_content?: string;
    is_me_message?: boolean;
  };
  reaction: {
    type: "reaction";
    op: "add" | "remove";
    user_id: number;
    /** Deprecated. */
    user: { user_id: number; email: string; full_name: string; is_mirror_dummy: boolean };
    message_id: number;
  } & Omit<WireReaction, "user_id">;
  submessage: { type: "submessage"; submessage_id: number } & Omit<WireSubmessage, "id">;
  /** Several messages in one event are for clients that can read that; for the others each goes in its own as well. */
  delete_message: {
    type: "delete_message";
    message_type: "stream" | "private";
    stream_id?: number;
    topic?: string;
  } & ({ message_ids: number[] } | { message_id: number });
  realm_user: { type: "realm_user"; op: "add"; person: WireUser };
  user_group: { type: "user_group"; op: "add_members" | "remove_members"; group_id: number; user_ids: number[] };
  subscription:
    | { type: "subscription"; op: "add"; subscriptions: WireSubscription[] }
    | { type: "subscription"; op: "remove"; subscriptions: { stream_id: number; name: string }[] }
    | { type: "subscription"; op: "peer_add" | "peer_remove"; stream_ids: number[]; user_ids: number[] };
  stream:
    | { type: "stream"; op: "create"; streams: WireChannel[] }
    | { type: "stream"; op: "delete"; streams: { stream_id: number }[]; stream_ids: number[] }
    | { type: "stream"; op: "update"; stream_id: number; name: string; property: keyof WireChannel; value: unknown };
  default_streams: { type: "default_streams"; default_streams: number[] };
  drafts:
    | { type: "drafts"; op: "add"; drafts: WireDraft[] }
    | { type: "drafts"; op: "update"; draft: WireDraft }
    | { type: "drafts"; op: "remove"; draft_id: number };
  saved_snippets:
    | { type: "saved_snippets"; op: "add" | "update"; saved_snippet: WireSavedSnippet }
    | { type: "saved_snippets"; op: "remove"; saved_snippet_id: number };
  scheduled_messages:
    | { type: "scheduled_messages"; op: "add"; scheduled_messages: WireScheduledMessage[] }
    | { type: "scheduled_messages"; op: "update"; scheduled_message: WireScheduledMessage }
    | { type: "scheduled_messages"; op: "remove"; scheduled_message_id: number };
  reminders:
    | { type: "reminders"; op: "add"; reminders: WireReminder[] }
    | { type: "reminders"; op: "remove"; reminder_id: number };
  user_topic: {
    type: "user_topic";
    stream_id: number;
    topic_name: string;
    last_updated: number;
    visibility_policy: Policy;
  };
  /** All of a person's, for clients that do not name `user_topic`. */
  muted_topics: { type: "muted_topics"; muted_topics: WireMutedTopic[] };
  heartbeat: { type: "heartbeat" };
}

export type Event = Events[keyof Events];
export type EventType = keyof Events;

export interface MessageDetails {
  type: "private" | "stream";
  mentioned?: boolean;
  user_ids?: number[];
  stream_id?: number;
  topic?: string;
  unmuted_stream_msg?: boolean;
}

declare module "../storage/transaction.ts" {
  interface EventShapes extends Events {}
}

/** What a client said of itself when it registered, as far as the form of its events depends on it. */
export interface FormOptions {
  readonly apply_markdown: boolean;
  /** The capability `empty_topic_name`: else the empty topic gets its display name. */
  readonly empty_topic_name: boolean;
  readonly bulk_message_deletion: boolean;
}

interface Form<E> {
  /** Whether clients with these options get such an event at all. */
  wanted?(event: E, options: FormOptions): boolean;
  /** Names the form that these options ask for; equal names share one JSON text. */
  name(event: E, options: FormOptions): string;
  make(event: E, name: string): object;
}

const NAMED = "named topic";
const SINGLE = "single message";

/** Event types whose wire form differs from their canonical one, or between clients. */
export const forms: { [Type in EventType]?: Form<Events[Type]> } = {
  message: {
    name: ({ message }, { apply_markdown, empty_topic_name }) =>
      (apply_markdown ? "html" : "markdown") + (message.subject === "" && !empty_topic_name ? ` ${NAMED}` : ""),
    make({ raw_content, ...event }, name) {
      const message = { ...event.message };
      if (name.startsWith("markdown")) {
        message.content = raw_content;
        message.content_type = "text/x-markdown";
      }
      if (name.endsWith(NAMED) && message.type === "stream") message.subject = displayedTopic(message.subject, false);
      return { ...event, message };
    },
  },
  update_message_flags: {
    name: (event, { empty_topic_name }) => ("message_details" in event && !empty_topic_name ? NAMED : ""),
    make(event, name) {
      if (name !== NAMED || !event.message_details) return event;
      const details = Object.entries(event.message_details).map(([id, detail]) => [
        id,
        detail.topic === undefined ? detail : { ...detail, topic: displayedTopic(detail.topic, false) },
      ]);
      return { ...event, message_details: Object.fromEntries(details) };
    },
  },
  update_message: {
    name: (event, { empty_topic_name }) =>
      !empty_topic_name && (event.subject === "" || event.orig_subject === "") ? NAMED : "",
    make(event, name) {
      if (name !== NAMED) return event;
      const named = { ...event };
      if (event.subject !== undefined) named.subject = displayedTopic(event.subject, false);
      if (event.orig_subject !== undefined) named.orig_subject = displayedTopic(event.orig_subject, false);
      return named;
    },
  },
  user_topic: {
    name: ({ topic_name }, { empty_topic_name }) => (topic_name === "" && !empty_topic_name ? NAMED : ""),
    make: (event, name) => (name === NAMED ? { ...event, topic_name: displayedTopic(event.topic_name, false) } : event),
  },
  muted_topics: {
    name: ({ muted_topics }, { empty_topic_name }) =>
      !empty_topic_name && muted_topics.some(([, topic]) => topic === "") ? NAMED : "",
    make: ({ muted_topics, ...event }, name) => ({
      ...event,
      muted_topics:
        name === NAMED
          ? muted_topics.map(([channel, topic, time]) => [channel, displayedTopic(topic, false), time])
          : muted_topics,
    }),
  },
  delete_message: {
    wanted: (event, { bulk_message_deletion }) =>
      bulk_message_deletion ? "message_ids" in event : "message_id" in event || event.message_ids.length === 1,
    name: (event, { empty_topic_name, bulk_message_deletion }) =>
      (bulk_message_deletion ? "" : SINGLE) + (event.topic === "" && !empty_topic_name ? ` ${NAMED}` : ""),
    make(event, name) {
      const named = name.endsWith(NAMED) ? { ...event, topic: displayedTopic("", false) } : event;
      if (!name.startsWith(SINGLE) || "message_id" in named) return named;
      const { message_ids, ...rest } = named;
      return { ...rest, message_id: message_ids[0] };
    },
  },
};

/** Whether a client with these options gets the event: some events stand for others that it cannot read. */
export function isWanted(event: Event, options: FormOptions): boolean {
  const form = forms[event.type] as Pick<Form<Event>, "wanted"> | undefined;
  return form?.wanted?.(event, options) ?? true;
}
