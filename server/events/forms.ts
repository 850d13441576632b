import { withToken } from "../api/presenters/bots.ts";
import type { CapabilityName, ClientCapabilities } from "../api/presenters/client-capabilities.ts";
import { type PersonalSettings, withoutNulls } from "../api/queries/subscriptions.ts";
import { displayedTopic } from "../api/queries/topics.ts";
import type { Event, Events, EventType, ForClientsWith } from "./catalogue.ts";

/** What the form of a client's events depends on, as the client said when it registered. */
export interface FormOptions extends ClientCapabilities {
  readonly apply_markdown: boolean;
  /** Presences by user id. */
  readonly slim_presence: boolean;
  /** Registered by one of Hearth's own pages: its user watches, which does not count as being online. */
  readonly own_page: boolean;
}

/** What is in no log, and is added when an event is delivered: as it is then. */
export interface EventSecrets {
  /** The API key of a user. */
  keyOf(userId: number): string;
  /** The token of an outgoing webhook; empty if the bot is none. */
  tokenOf(botId: number): string;
}

interface Form<E> {
  /** Whether clients with these options get the event. */
  isFor?(event: E, options: FormOptions): boolean;
  /** The name of the form for these options; events share one JSON text per name. */
  name(event: E, options: FormOptions, userId: number): string;
  make(event: E, name: string, secrets: EventSecrets): object;
}

const isForClientsWith =
  <Name extends CapabilityName>(name: Name) =>
  (event: ForClientsWith<Name>, capabilities: ClientCapabilities): boolean =>
    event[name] === undefined || event[name] === capabilities[name];

// What the names of forms consist of.
const NAMED = "named topic";
const SINGLE = "single message";
const FILLED = "without nulls ";
const HIDDEN = " hidden sender";
const NONE = "none";

/** `user_settings` supersedes these events, and every client gets it. */
const forOldClients: Form<unknown> = {
  isFor: (_event, { user_settings_object }) => !user_settings_object,
  name: () => "",
  make: (event) => event as object,
};

/** Event types whose wire form differs from their canonical one, or between clients. */
export const forms: { [Type in EventType]?: Form<Events[Type]> } = {
  update_display_settings: forOldClients,
  update_global_notifications: forOldClients,
  message: {
    name: ({ message, hidden_sender }, { apply_markdown, empty_topic_name }, userId) =>
      (apply_markdown ? "html" : "markdown") +
      (hidden_sender?.from.includes(userId) ? HIDDEN : "") +
      (message.subject === "" && !empty_topic_name ? ` ${NAMED}` : ""),
    make({ raw_content, hidden_sender, ...event }, name) {
      const message = { ...event.message, ...(name.includes(HIDDEN) && hidden_sender?.as) };
      if (name.startsWith("markdown")) {
        message.content = raw_content;
        message.content_type = "text/x-markdown";
      }
      if (name.endsWith(NAMED) && message.type === "stream") message.subject = displayedTopic(message.subject, false);
      return { ...event, message };
    },
  },
  realm_linkifiers: {
    name: (_event, { linkifier_url_template }) => (linkifier_url_template ? "" : NONE),
    make: (event, name) => (name === NONE ? { ...event, realm_linkifiers: [] } : event),
  },
  realm_filters: {
    isFor: (_event, { linkifier_url_template }) => !linkifier_url_template,
    name: () => "",
    make: (event) => event,
  },
  realm_bot: {
    name: () => "",
    make(event, _name, { keyOf, tokenOf }) {
      if (event.op === "delete") return event;
      const { user_id, services } = event.bot;
      const bot = { ...event.bot, ...(services && { services: withToken(services, tokenOf(user_id)) }) };
      const key = { api_key: keyOf(user_id) };
      if (event.op === "add") return { ...event, bot: { ...bot, ...key } };
      const { with_key, ...update } = event;
      return { ...update, bot: { ...bot, ...(with_key && key) } };
    },
  },
  webhook_delivery: { isFor: (_event, { own_page }) => own_page, name: () => "", make: (event) => event },
  webhook_receipt: { isFor: (_event, { own_page }) => own_page, name: () => "", make: (event) => event },
  webhook_settings: { isFor: (_event, { own_page }) => own_page, name: () => "", make: (event) => event },
  sign_ins: { isFor: (_event, { own_page }) => own_page, name: () => "", make: (event) => event },
  start_anew: { isFor: () => false, name: () => "", make: (event) => event },
  reaction: {
    name: ({ hidden_user }, _options, userId) => (hidden_user?.from.includes(userId) ? HIDDEN : ""),
    make: ({ hidden_user, ...event }, name) =>
      name === HIDDEN ? { ...event, user: { ...event.user, ...hidden_user?.as } } : event,
  },
  realm_user: {
    isFor: isForClientsWith("user_list_incomplete"),
    name: () => "",
    make: ({ user_list_incomplete: _, ...event }) => event,
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
  stream: {
    isFor: isForClientsWith("archived_channels"),
    name: () => "",
    make: ({ archived_channels: _, ...event }) => event,
  },
  subscription: {
    isFor: isForClientsWith("archived_channels"),
    name(event, { notification_settings_null }, userId) {
      if (event.op !== "add") return "";
      const filled = notification_settings_null ? "" : `${FILLED}${event.inherited?.[userId] ?? ""}`;
      return `${filled}|${JSON.stringify(event.own?.[userId] ?? [])}`;
    },
    make({ archived_channels: _, ...event }, name) {
      if (event.op !== "add") return event;
      const { own: _own, inherited: _inherited, ...fields } = event;
      const end = name.indexOf("|");
      const own: Partial<PersonalSettings>[] = JSON.parse(name.slice(end + 1));
      const bits = name.slice(FILLED.length, end);
      const subscriptions = event.subscriptions.map((common, at) => {
        const one = own[at] ? { ...common, ...own[at], in_home_view: !(own[at].is_muted ?? common.is_muted) } : common;
        return end === 0 ? one : withoutNulls(one, bits ? Number(bits) : undefined);
      });
      return { ...fields, subscriptions };
    },
  },
  user_group: {
    isFor: isForClientsWith("include_deactivated_groups"),
    name: () => "",
    make: ({ include_deactivated_groups: _, ...event }) => event,
  },
  presence: {
    name: (_event, { simplified_presence_events, slim_presence }) =>
      simplified_presence_events ? "simplified" : slim_presence ? "slim" : "",
    make({ presences, ...event }, name) {
      if (name === "simplified") return { type: event.type, presences };
      const { email: _, ...slim } = event;
      return name === "slim" ? slim : event;
    },
  },
  typing: {
    isFor: ({ message_type }, { stream_typing_notifications }) =>
      message_type === "direct" || stream_typing_notifications,
    name: (event, { empty_topic_name }) => ("topic" in event && event.topic === "" && !empty_topic_name ? NAMED : ""),
    make: (event, name) => (name === NAMED ? { ...event, topic: displayedTopic("", false) } : event),
  },
  typing_edit_message: {
    name: ({ recipient }, { empty_topic_name }) =>
      recipient.type === "channel" && recipient.topic === "" && !empty_topic_name ? NAMED : "",
    make: (event, name) =>
      name === NAMED ? { ...event, recipient: { ...event.recipient, topic: displayedTopic("", false) } } : event,
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
    isFor: (event, { bulk_message_deletion }) =>
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

/** Whether a client with these options gets the event: some events replace others that it cannot read. */
export function isForClient(event: Event, options: FormOptions): boolean {
  const form = forms[event.type] as Pick<Form<Event>, "isFor"> | undefined;
  return form?.isFor?.(event, options) ?? true;
}
