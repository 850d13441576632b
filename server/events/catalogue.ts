import type { WireChannel } from "../queries/channels.ts";
import type { WireMessage } from "../queries/messages.ts";
import type { WireSubscription } from "../queries/subscriptions.ts";
import { displayedTopic } from "../queries/topics.ts";
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
  delete_message: {
    type: "delete_message";
    message_ids: number[];
    message_type: "stream" | "private";
    stream_id?: number;
    topic?: string;
  };
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
}

interface Form<E> {
  /** Names the form that these options ask for; equal names share one JSON text. */
  name(event: E, options: FormOptions): string;
  make(event: E, name: string): object;
}

const NAMED = "named topic";

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
    name: (event, { empty_topic_name }) => (event.subject !== undefined && !empty_topic_name ? NAMED : ""),
    make: (event, name) =>
      name !== NAMED || event.subject === undefined || event.orig_subject === undefined
        ? event
        : {
            ...event,
            subject: displayedTopic(event.subject, false),
            orig_subject: displayedTopic(event.orig_subject, false),
          },
  },
  delete_message: {
    name: ({ topic }, { empty_topic_name }) => (topic === "" && !empty_topic_name ? NAMED : ""),
    make: (event, name) => (name === NAMED ? { ...event, topic: displayedTopic(event.topic ?? "", false) } : event),
  },
};
