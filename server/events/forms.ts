import { withToken } from "../api/presenters/bots.ts";
import type { CapabilityName, ClientCapabilities } from "../api/presenters/client-capabilities.ts";
import { withoutNulls } from "../api/queries/subscriptions.ts";
import { displayedTopic } from "../api/queries/topics.ts";
import type { Event, Events, EventType, ForClientsWith } from "./catalogue.ts";

/** Options of a client's registration that determine the form of its events. */
export interface FormOptions extends ClientCapabilities {
  readonly apply_markdown: boolean;
  /** Presences by user id. */
  readonly slim_presence: boolean;
  /** Registered by a page of Hearth. Its user does not count as online. */
  readonly own_page: boolean;
  /** Registered by the chat window of the desktop app. Its user is at this computer. */
  readonly desk_window: boolean;
}

/** Secrets that are not logged, and are added when an event is delivered. */
export interface EventSecrets {
  /** The API key of a user. */
  keyOf(userId: number): string;
  /** The token of an outgoing webhook; empty for other bots. */
  tokenOf(botId: number): string;
}

/**
 * How clients see the events of a type. Clients for which `variant` returns equal values share one JSON text. Without
 * `variant` all clients do, and without `make` they get the event as it is.
 */
interface Form<E, Variant> {
  /** Whether clients with these options get the event. */
  isFor?(event: E, options: FormOptions): boolean;
  variant?(event: E, options: FormOptions, userId: number): Variant;
  make?(event: E, variant: Variant, secrets: EventSecrets): object;
}
type AnyForm<E> = Form<E, unknown>;

/** Infers the type of the variant. */
const form = <Type extends EventType, Variant>(
  type: Type,
  its: Form<Events[Type], Variant>,
): { [T in Type]: AnyForm<Events[T]> } => ({ [type]: its }) as never;

const isForClientsWith =
  <Name extends CapabilityName>(name: Name) =>
  (event: ForClientsWith<Name>, capabilities: ClientCapabilities): boolean =>
    event[name] === undefined || event[name] === capabilities[name];

/** Whether the client needs a name for the empty topic. */
const needsName = (topic: string | undefined, { empty_topic_name }: FormOptions): boolean =>
  topic === "" && !empty_topic_name;
const EMPTY_TOPIC = displayedTopic("", false);

const forOldClients = { isFor: (_event: unknown, { user_settings_object }: FormOptions) => !user_settings_object };
const forOwnPages = { isFor: (_event: unknown, { own_page }: FormOptions) => own_page };

/** Event types whose wire form differs from their canonical form, or between clients. */
const forms: { [Type in EventType]?: AnyForm<Events[Type]> } = {
  // `user_settings` supersedes these events, and every client gets it.
  update_display_settings: forOldClients,
  update_global_notifications: forOldClients,
  ...form("message", {
    variant: ({ message, hidden_sender }, options, userId) => ({
      isMarkdown: !options.apply_markdown,
      isHidden: hidden_sender?.from.includes(userId) === true,
      isNamed: message.type === "stream" && needsName(message.subject, options),
    }),
    make({ raw_content, hidden_sender, ...event }, { isMarkdown, isHidden, isNamed }) {
      const message = { ...event.message, ...(isHidden && hidden_sender?.as) };
      if (isMarkdown) {
        message.content = raw_content;
        message.content_type = "text/x-markdown";
      }
      if (isNamed) message.subject = EMPTY_TOPIC;
      return { ...event, message };
    },
  }),
  realm_emoji: { isFor: ({ op }, { individual_emoji_changes }) => (op !== "update") === individual_emoji_changes },
  ...form("realm_linkifiers", {
    variant: (_event, { linkifier_url_template }) => linkifier_url_template,
    make: (event, isReadable) => (isReadable ? event : { ...event, realm_linkifiers: [] }),
  }),
  realm_filters: { isFor: (_event, { linkifier_url_template }) => !linkifier_url_template },
  realm_bot: {
    make(event, _variant, { keyOf, tokenOf }) {
      if (event.op === "delete") return event;
      const { user_id, services } = event.bot;
      const bot = { ...event.bot, ...(services && { services: withToken(services, tokenOf(user_id)) }) };
      const key = { api_key: keyOf(user_id) };
      if (event.op === "add") return { ...event, bot: { ...bot, ...key } };
      const { with_key, ...update } = event;
      return { ...update, bot: { ...bot, ...(with_key && key) } };
    },
  },
  webhook_delivery: forOwnPages,
  webhook_receipt: forOwnPages,
  webhook_settings: forOwnPages,
  sign_ins: forOwnPages,
  failing_address: forOwnPages,
  ntfy_topic: forOwnPages,
  web_push_devices: forOwnPages,
  start_anew: { isFor: () => false },
  ...form("reaction", {
    variant: ({ hidden_user }, _options, userId) => hidden_user?.from.includes(userId) === true,
    make: ({ hidden_user, ...event }, isHidden) =>
      isHidden ? { ...event, user: { ...event.user, ...hidden_user?.as } } : event,
  }),
  realm_user: {
    isFor: isForClientsWith("user_list_incomplete"),
    make: ({ user_list_incomplete: _, ...event }) => event,
  },
  ...form("update_message_flags", {
    variant: (event, { empty_topic_name }) => "message_details" in event && !empty_topic_name,
    make(event, isNamed) {
      if (!isNamed || !event.message_details) return event;
      const details = Object.entries(event.message_details).map(([id, detail]) => [
        id,
        detail.topic === undefined ? detail : { ...detail, topic: displayedTopic(detail.topic, false) },
      ]);
      return { ...event, message_details: Object.fromEntries(details) };
    },
  }),
  ...form("update_message", {
    variant: (event, options) => needsName(event.subject, options) || needsName(event.orig_subject, options),
    make(event, isNamed) {
      if (!isNamed) return event;
      const named = { ...event };
      if (event.subject !== undefined) named.subject = displayedTopic(event.subject, false);
      if (event.orig_subject !== undefined) named.orig_subject = displayedTopic(event.orig_subject, false);
      return named;
    },
  }),
  stream: {
    isFor: isForClientsWith("archived_channels"),
    make: ({ archived_channels: _, ...event }) => event,
  },
  ...form("subscription", {
    isFor: isForClientsWith("archived_channels"),
    variant: (event, { notification_settings_null }, userId) => ({
      own: (event.op === "add" && event.own?.[userId]) || [],
      keepsNull: event.op !== "add" || notification_settings_null,
      inherited: event.op === "add" && !notification_settings_null ? event.inherited?.[userId] : undefined,
    }),
    make({ archived_channels: _, ...event }, { own, keepsNull, inherited }) {
      if (event.op !== "add") return event;
      const { own: _own, inherited: _inherited, ...fields } = event;
      const subscriptions = event.subscriptions.map((common, at) => {
        const one = own[at] ? { ...common, ...own[at], in_home_view: !(own[at].is_muted ?? common.is_muted) } : common;
        return keepsNull ? one : withoutNulls(one, inherited);
      });
      return { ...fields, subscriptions };
    },
  }),
  user_group: {
    isFor: isForClientsWith("include_deactivated_groups"),
    make: ({ include_deactivated_groups: _, ...event }) => event,
  },
  ...form("presence", {
    variant: (_event, { simplified_presence_events, slim_presence }) =>
      simplified_presence_events ? "simplified" : slim_presence ? "slim" : "full",
    make({ presences, ...event }, variant) {
      if (variant === "simplified") return { type: event.type, presences };
      const { email: _, ...slim } = event;
      return variant === "slim" ? slim : event;
    },
  }),
  ...form("typing", {
    isFor: ({ message_type }, { stream_typing_notifications }) =>
      message_type === "direct" || stream_typing_notifications,
    variant: (event, options) => "topic" in event && needsName(event.topic, options),
    make: (event, isNamed) => (isNamed ? { ...event, topic: EMPTY_TOPIC } : event),
  }),
  ...form("typing_edit_message", {
    variant: ({ recipient }, options) => recipient.type === "channel" && needsName(recipient.topic, options),
    make: (event, isNamed) => (isNamed ? { ...event, recipient: { ...event.recipient, topic: EMPTY_TOPIC } } : event),
  }),
  ...form("user_topic", {
    variant: ({ topic_name }, options) => needsName(topic_name, options),
    make: (event, isNamed) => (isNamed ? { ...event, topic_name: EMPTY_TOPIC } : event),
  }),
  ...form("muted_topics", {
    variant: ({ muted_topics }, options) => muted_topics.some(([, topic]) => needsName(topic, options)),
    make: ({ muted_topics, ...event }, isNamed) => ({
      ...event,
      muted_topics: isNamed
        ? muted_topics.map(([channel, topic, time]) => [channel, displayedTopic(topic, false), time])
        : muted_topics,
    }),
  }),
  ...form("delete_message", {
    isFor: (event, { bulk_message_deletion }) =>
      bulk_message_deletion ? "message_ids" in event : "message_id" in event || event.message_ids.length === 1,
    variant: (event, options) => ({
      isSingle: !options.bulk_message_deletion,
      isNamed: needsName(event.topic, options),
    }),
    make(event, { isSingle, isNamed }) {
      const named = isNamed ? { ...event, topic: EMPTY_TOPIC } : event;
      if (!isSingle || "message_id" in named) return named;
      const { message_ids, ...rest } = named;
      return { ...rest, message_id: message_ids[0] };
    },
  }),
};

const formOf = (event: Event): AnyForm<Event> | undefined => forms[event.type] as AnyForm<Event> | undefined;

/** Whether a client with these options gets the event: some events replace others that it cannot read. */
export const isForClient = (event: Event, options: FormOptions): boolean =>
  formOf(event)?.isFor?.(event, options) ?? true;

/** How a client sees the event: clients with the same `key` share one form. */
export function wireForm(
  event: Event,
  { options, userId, secrets }: { options: FormOptions; userId: number; secrets: EventSecrets },
): { key: string; make(): object } {
  const its = formOf(event);
  const variant = its?.variant?.(event, options, userId);
  return { key: JSON.stringify(variant) ?? "", make: () => its?.make?.(event, variant, secrets) ?? event };
}
