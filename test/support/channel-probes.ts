import type { Body, Caller, Params } from "./chat.ts";

/** A channel and its contents, or missing IDs and names. */
export interface Place {
  channel: number;
  name: string;
  message: number;
  topic: string;
}

/** A user's rights in a channel. */
export interface Rights {
  see: boolean;
  content: boolean;
  history: boolean;
  message: boolean;
  subscribed: boolean;
  post: boolean;
  administer: boolean;
  administrator: boolean;
  archived: boolean;
  guest: boolean;
}

export interface Probe {
  name: string;
  /** Whether the call succeeds. */
  for(rights: Rights): boolean;
  /** Whether an error reveals that the thing exists. */
  hints(rights: Rights): boolean;
  call(caller: Caller, place: Place): Promise<Body>;
  /** For lists: whether the response contains the thing. It must do so exactly if the call is allowed. */
  finds?(answer: Body, place: Place): boolean;
}

const probe = (
  name: string,
  allowed: Probe["for"],
  hints: Probe["hints"],
  call: Probe["call"],
  finds?: Probe["finds"],
): Probe => ({ name, for: allowed, hints, call, ...(finds && { finds }) });

const sees = ({ see }: Rights) => see;
const reads = ({ message }: Rights) => message;
const responds = ({ message, archived }: Rights) => message && !archived;
const never = () => false;
const always = () => true;

const narrowed = (terms: [string, unknown][]): Params => ({
  narrow: terms.map(([operator, operand]) => ({ operator, operand })),
  anchor: "newest",
  num_before: 100,
  num_after: 0,
});
const has = (answer: Body, { message }: Place): boolean =>
  (answer["messages"] ?? []).some(({ id }: { id: number }) => id === message);

const ALL_CHANNELS = { exclude_archived: false, include_web_public: true, include_can_access_content: true };

/** Every call that takes a channel. An error may reveal the channel's existence to people who see it. */
export const CHANNEL_PROBES: readonly Probe[] = [
  probe("GET /streams/{id}", sees, sees, (who, { channel }) => who.get(`/streams/${channel}`)),
  probe("GET /get_stream_id", sees, sees, (who, { name }) => who.get("/get_stream_id", { stream: name })),
  probe(
    "GET /streams",
    ({ see, content, administrator }) => content || (see && administrator),
    always,
    async (who) => who.get("/streams", { ...ALL_CHANNELS, ...(await isAdministrator(who)) }),
    ({ streams }, { channel }) => streams.some((one: any) => one.stream_id === channel),
  ),
  probe(
    "GET /streams, by content",
    ({ content }) => content,
    always,
    (who) =>
      who.get("/streams", {
        ...ALL_CHANNELS,
        include_public: false,
        include_subscribed: false,
        include_web_public: false,
      }),
    ({ streams }, { channel }) => streams.some((one: any) => one.stream_id === channel),
  ),
  probe("its email address", sees, sees, (who, { channel }) => who.get(`/streams/${channel}/email_address`)),
  probe(
    "its members",
    ({ content }) => content,
    never,
    (who, { channel }) => who.get(`/streams/${channel}/members`),
  ),
  probe(
    "its topics",
    ({ history }) => history,
    never,
    (who, { channel }) => who.get(`/users/me/${channel}/topics`),
  ),
  probe("whether one is subscribed", sees, sees, (who, { channel }) =>
    who.get(`/users/${who.id}/subscriptions/${channel}`),
  ),
  probe(
    "PATCH /streams/{id}",
    ({ administer }) => administer,
    sees,
    (who, { channel }) => who.patch(`/streams/${channel}`, { topics_policy: "inherit" }),
  ),
  probe(
    "delete a topic of it",
    ({ administrator, history }) => administrator && history,
    never,
    (who, { channel }) => who.post(`/streams/${channel}/delete_topic`, { topic_name: "of nobody" }),
  ),
  probe(
    "take it from the default channels",
    ({ administrator }) => administrator,
    never,
    (who, { channel }) => who.delete("/default_streams", { stream_id: channel }),
  ),
  probe("a policy for a topic of it", sees, sees, (who, { channel }) =>
    who.post("/user_topics", { stream_id: channel, topic: "own", visibility_policy: 3 }),
  ),
  probe("mute a topic of it", sees, sees, (who, { name }) =>
    who.patch("/users/me/subscriptions/muted_topics", { stream: name, topic: "own", op: "remove" }),
  ),
  probe("a draft for it", sees, sees, (who, { channel }) =>
    who.post("/drafts", { drafts: [{ type: "stream", to: [channel], topic: "t", content: "x", timestamp: 1 }] }),
  ),
  probe(
    "narrow to it by id",
    ({ see, message }) => see && message,
    sees,
    (who, { channel }) => who.get("/messages", narrowed([["channel", channel]])),
    has,
  ),
  probe(
    "narrow to it by name",
    ({ see, message }) => see && message,
    sees,
    (who, { name }) => who.get("/messages", narrowed([["stream", name]])),
    has,
  ),
  probe(
    "mark all of it as read",
    ({ history }) => history,
    never,
    (who, { channel }) => who.post("/mark_stream_as_read", { stream_id: channel }),
  ),
  probe(
    "schedule a message to it",
    ({ post, archived }) => post && !archived,
    ({ see, post }) => see || post,
    (who, { channel }) =>
      who.post("/scheduled_messages", {
        type: "channel",
        to: channel,
        topic: "later",
        content: "x",
        scheduled_delivery_timestamp: 4_000_000_000,
      }),
  ),
  probe(
    "post by id",
    ({ post, archived }) => post && !archived,
    ({ see, post }) => see || post,
    (who, { channel }) => who.post("/messages", { type: "channel", to: channel, topic: "chatter", content: "x" }),
  ),
  probe(
    "post by name",
    ({ post, archived }) => post && !archived,
    ({ see, post }) => see || post,
    (who, { name }) => who.post("/messages", { type: "stream", to: name, topic: "chatter", content: "x" }),
  ),
  probe(
    "settings of one's subscription",
    ({ subscribed }) => subscribed,
    sees,
    (who, { channel }) =>
      who.post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id: channel, property: "pin_to_top", value: true }],
      }),
  ),
  probe(
    "one setting of one's subscription",
    ({ subscribed }) => subscribed,
    sees,
    (who, { channel }) => who.patch(`/users/me/subscriptions/${channel}`, { property: "pin_to_top", value: false }),
  ),
];

/** Every call that takes a message. Users without access learn nothing, even if they see the channel. */
export const MESSAGE_PROBES: readonly Probe[] = [
  probe("GET /messages/{id}", reads, never, (who, { message }) => who.get(`/messages/${message}`)),
  probe("its history", reads, never, (who, { message }) => who.get(`/messages/${message}/history`)),
  probe("who has read it", reads, never, (who, { message }) => who.get(`/messages/${message}/read_receipts`)),
  probe("star it", reads, never, (who, { message }) =>
    who.post("/messages/flags", { messages: [message], op: "add", flag: "starred" }),
  ),
  probe("mark the message as read", reads, never, (who, { message }) =>
    who.post("/messages/flags", { messages: [message], op: "add", flag: "read" }),
  ),
  probe("react to it", responds, reads, (who, { message }) =>
    who.post(`/messages/${message}/reactions`, { emoji_name: "tada" }),
  ),
  probe("take a reaction back", responds, reads, (who, { message }) =>
    who.delete(`/messages/${message}/reactions`, { emoji_name: "tada" }),
  ),
  probe("add to it", never, reads, (who, { message }) =>
    who.post("/submessage", { message_id: message, msg_type: "widget", content: "{}" }),
  ),
  probe("edit it", never, reads, (who, { message }) =>
    who.patch(`/messages/${message}`, { content: "mine", prev_content_sha256: "0".repeat(64) }),
  ),
  probe("move it to where it is", never, reads, (who, { message, topic }) =>
    who.patch(`/messages/${message}`, { topic }),
  ),
  probe("delete it", never, reads, (who, { message }) => who.delete(`/messages/${message}`, {})),
  probe("report it", never, reads, (who, { message }) =>
    who.post(`/messages/${message}/report`, { report_type: "spam" }),
  ),
  probe("be reminded of it", reads, never, (who, { message }) =>
    who.post("/reminders", { message_id: message, scheduled_delivery_timestamp: 4_000_000_000 }),
  ),
  probe(
    "GET /messages, by ids",
    reads,
    always,
    (who, { message }) => who.get("/messages", { message_ids: [message] }),
    has,
  ),
  probe(
    "GET /messages, by its id",
    reads,
    always,
    (who, { message }) => who.get("/messages", narrowed([["id", message]])),
    has,
  ),
  probe(
    "GET /messages, with it",
    reads,
    never,
    (who, { message }) => who.get("/messages", narrowed([["with", message]])),
    has,
  ),
  probe(
    "whether it matches a narrow",
    reads,
    always,
    (who, { message }) =>
      who.get("/messages/matches_narrow", {
        msg_ids: [message],
        narrow: [{ operator: "has", operand: "link", negated: true }],
      }),
    ({ messages }, { message }) => String(message) in (messages ?? {}),
  ),
];

const isAdministrator = async (who: Caller): Promise<Params> => {
  const { role } = await who.get("/users/me");
  return role <= 200 ? { include_all: true } : {};
};
