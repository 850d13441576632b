import type { Reader } from "../../storage/transaction.ts";
import type { Channel } from "./channels.ts";
import { subscriptionsOf } from "./subscriptions.ts";

/** The name of the empty topic for clients without `empty_topic_name`. */
export const EMPTY_TOPIC_DISPLAY_NAME = "general chat";

/** The topic of notices about a channel itself, such as its creation. */
export const EVENTS_TOPIC = "channel events";

/** Unicode code points. */
export const MAX_TOPIC_LENGTH = 60;

/** The names of the empty topic, which ignore letter case as all topics do. */
const EMPTY_TOPIC_NAMES = new Set(["(no topic)", EMPTY_TOPIC_DISPLAY_NAME]);

/** The stored form of a topic. Both names of the empty topic become "" (docs/protocol.md#empty-topic). */
export function topicFromInput(topic: string): string {
  const trimmed = topic.trim();
  return EMPTY_TOPIC_NAMES.has(topicKey(trimmed)) ? "" : trimmed;
}

export const displayedTopic = (topic: string, allowEmpty: boolean): string =>
  topic === "" && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;

/** The prefix of a resolved topic's name. */
export const RESOLVED = "✔ ";
export const withoutResolved = (topic: string): string =>
  topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : topic;

/** The normalized form for comparing topics. */
export const topicKey = (topic: string): string => topic.normalize("NFC").toLowerCase();

/** The number of a channel's topic; undefined if it has never had a message. */
export const topicId = (reader: Reader, channelId: number, topic: string): number | undefined =>
  reader.value<number>("SELECT id FROM topics WHERE channel_id = ? AND name_key = ?", channelId, topicKey(topic));

/** The numbers of all topics with that name, in all channels. */
export const topicIdsNamed = (reader: Reader, topic: string): Set<number> =>
  new Set(reader.values<number>("SELECT id FROM topics WHERE name_key = ?", topicKey(topic)));

/** Whether the channel has a message in a topic with a name. */
export const hasNamedTopics = (reader: Reader, channelId: number): boolean =>
  reader.value(
    `SELECT 1 FROM topics WHERE channel_id = ? AND name_key <> ''
       AND EXISTS (SELECT 1 FROM messages WHERE topic_id = topics.id) LIMIT 1`,
    channelId,
  ) !== undefined;

/** The server's welcome in the first channel: it opens the channel, wherever its topic is renamed to. */
export const welcomeIn = (reader: Reader, channel: Channel): { id: number; topic: string } | undefined =>
  reader
    .all<{ id: number; topic: string; system_bot: string | null }>(
      `SELECT messages.id, topic, system_bot FROM messages JOIN users ON users.id = sender_id
       WHERE recipient_id = ? ORDER BY messages.id LIMIT 1`,
      channel.recipient_id,
    )
    .find(({ topic, system_bot }) => system_bot !== null && topic !== "" && topic !== EVENTS_TOPIC);

/** A user's policy for a topic (docs/protocol.md#visibility-policies). `none` is not stored. */
export const POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Policy = (typeof POLICY)[keyof typeof POLICY];

export interface TopicPolicy {
  channel_id: number;
  topic: string;
  policy: Exclude<Policy, 0>;
  /** Milliseconds since the epoch. */
  updated_at: number;
}

export const topicPolicy = (reader: Reader, userId: number, channelId: number, topic: string): Policy =>
  reader.value<Policy>(
    "SELECT policy FROM user_topics WHERE user_id = ? AND channel_id = ? AND name_key = ?",
    userId,
    channelId,
    topicKey(topic),
  ) ?? POLICY.none;

/** Limit of topics with a policy per person, since /register lists them all. */
export const MAX_TOPIC_POLICIES = 5000;
export const topicPolicyCount = (reader: Reader, userId: number): number =>
  reader.value<number>("SELECT COUNT(*) FROM user_topics WHERE user_id = ?", userId) ?? 0;

/** All users' policies for one topic, by user, ascending. Callers must not modify the result. */
export function policiesFor(reader: Reader, channelId: number, topic: string): ReadonlyMap<number, Policy> {
  // Filled on demand: each send needs them, and most sends change no policy.
  const seen = reader.derived("topic policies seen", ["user_topics"], () => new Map<string, Map<number, Policy>>());
  const key = `${channelId} ${topicKey(topic)}`;
  let policies = seen.get(key);
  if (!policies) {
    const sql =
      "SELECT user_id AS user, policy FROM user_topics WHERE channel_id = ? AND name_key = ? ORDER BY user_id";
    const rows = reader.all<{ user: number; policy: Policy }>(sql, channelId, topicKey(topic));
    policies = new Map(rows.map(({ user, policy }) => [user, policy]));
    if (seen.size >= MAX_TOPICS_SEEN) seen.clear();
    seen.set(key, policies);
  }
  return policies;
}

const MAX_TOPICS_SEEN = 1000;

export const hasPoliciesIn = (reader: Reader, userId: number, channelId: number): boolean =>
  reader.value("SELECT 1 FROM user_topics WHERE user_id = ? AND channel_id = ? LIMIT 1", userId, channelId) !==
  undefined;

/** By topic number; only topics that have or had messages. Callers must not modify the result. */
const policiesByNumber = (reader: Reader, userId: number): ReadonlyMap<number, Policy> =>
  reader.derived(`numbered topic policies of ${userId}`, ["user_topics", "topics"], (rows) => {
    const found = rows.all<{ id: number; policy: Policy }>(
      "SELECT topics.id, policy FROM user_topics JOIN topics USING (channel_id, name_key) WHERE user_id = ?",
      userId,
    );
    return new Map(found.map(({ id, policy }) => [id, policy]));
  });

export const followedTopics = (reader: Reader, userId: number): Set<number> =>
  new Set([...policiesByNumber(reader, userId)].filter(([, policy]) => policy === POLICY.followed).map(([id]) => id));

/** Whether a topic, by location and number, is muted for the user: by its own policy, or else by its channel. */
export function mutedFor(reader: Reader, userId: number): (location: number, topic: number) => boolean {
  const policies = policiesByNumber(reader, userId);
  const subscriptions = subscriptionsOf(reader, userId);
  return (location, topic) => {
    if (location < 0) return false;
    const policy = policies.get(topic);
    return policy === POLICY.muted || (policy === undefined && subscriptions.get(location)?.is_muted === true);
  };
}

export const policiesOf = (reader: Reader, userId: number): TopicPolicy[] =>
  reader.all<TopicPolicy>(
    "SELECT channel_id, topic, policy, updated_at FROM user_topics WHERE user_id = ? ORDER BY channel_id, name_key",
    userId,
  );

export const resolvedTopics = (reader: Reader): Set<number> =>
  new Set(reader.values<number>("SELECT id FROM topics WHERE name_key >= ? AND name_key < ?", RESOLVED, "✔!"));

/** The newest message of each topic of a channel, by topic, newest first. */
export function newestByTopic(reader: Reader, channelId: number): Map<number, number> {
  // One JSON row is several times as fast as a row per topic, and a channel can have thousands.
  const text = reader.value<string>(
    `SELECT json_group_array(json_array(id, newest)) FROM (
       SELECT id, (SELECT MAX(messages.id) FROM messages WHERE topic_id = topics.id) AS newest
       FROM topics WHERE channel_id = ? ORDER BY newest DESC) WHERE newest IS NOT NULL`,
    channelId,
  );
  return new Map(JSON.parse(text ?? "[]") as [number, number][]);
}

/** Everyone who sent a message or reacted in the topic, and the sender. */
export function topicParticipants(
  reader: Reader,
  { channel, topic }: { channel: Pick<Channel, "id">; topic: string },
  senderId: number,
): Set<number> {
  const id = topicId(reader, channel.id, topic);
  if (id === undefined) return new Set([senderId]);
  // Uses two indexes, since the rows themselves are large.
  const sent = reader.all<{ id: number }>(
    `SELECT DISTINCT sent.sender_id AS id
     FROM messages AS found INDEXED BY messages_by_topic CROSS JOIN messages AS sent INDEXED BY message_places
       ON sent.id = found.id
     WHERE found.topic_id = ?`,
    id,
  );
  const participants = new Set(sent.map(({ id: userId }) => userId));
  const reacted = reader.all<{ id: number }>(
    `SELECT DISTINCT reactions.user_id AS id FROM messages JOIN reactions ON message_id = messages.id
     WHERE topic_id = ?`,
    id,
  );
  for (const { id: userId } of reacted) participants.add(userId);
  return participants.add(senderId);
}
