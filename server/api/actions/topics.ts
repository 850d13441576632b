import type { Transaction } from "../../storage/transaction.ts";
import { readableHistory } from "../access/channels.ts";
import { mutedTopics } from "../presenters/topics.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { subscriptionsOf } from "../queries/subscriptions.ts";
import {
  MAX_TOPIC_POLICIES,
  POLICY,
  type Policy,
  policiesFor,
  topicId,
  topicKey,
  topicPolicy,
  topicPolicyCount,
} from "../queries/topics.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import { addTo } from "./grouping.ts";

/** The topic may have no messages. */
export interface Topic {
  channel: Channel;
  topic: string;
}

export const setTopicPolicy = (tx: Transaction, user: User, topic: Topic, policy: Policy): void =>
  announceMutes(tx, writePolicies(tx, topic, new Map([[user.id, policy]])));

/** Does nothing if the topic is not muted. */
export function unmuteTopic(tx: Transaction, user: User, topic: Topic): void {
  if (topicPolicy(tx, user.id, topic.channel.id, topic.topic) === POLICY.muted)
    setTopicPolicy(tx, user, topic, POLICY.none);
}

/**
 * Stores and announces policies that differ. Users with the same policy, possibly thousands, share a statement and an
 * event. Returns users whose muted topics changed.
 */
function writePolicies(tx: Transaction, { channel, topic }: Topic, policies: ReadonlyMap<number, Policy>): number[] {
  const key = topicKey(topic);
  const rows = tx.all<{ user: number; topic: string; policy: Policy }>(
    `SELECT user_id AS user, topic, policy FROM user_topics
     WHERE user_id IN (SELECT value FROM json_each(?)) AND channel_id = ? AND name_key = ?`,
    JSON.stringify([...policies.keys()]),
    channel.id,
    key,
  );
  const stored = new Map(rows.map((row) => [row.user, row]));
  const alike = new Map<Policy, number[]>();
  const mutesChanged: number[] = [];
  for (const [userId, policy] of [...policies].sort(([a], [b]) => a - b)) {
    const before = stored.get(userId);
    // Mentions by others can follow topics for a user, so the limit applies here too.
    if (!before && policy !== POLICY.none && topicPolicyCount(tx, userId) >= MAX_TOPIC_POLICIES) continue;
    if ((before?.policy ?? POLICY.none) === policy && (before?.topic ?? topic) === topic) continue;
    if (policy === POLICY.muted || before?.policy === POLICY.muted) mutesChanged.push(userId);
    addTo(alike, policy, userId);
  }
  for (const [policy, users] of alike) {
    const list = JSON.stringify(users);
    if (policy === POLICY.none) {
      tx.run(
        `DELETE FROM user_topics
         WHERE user_id IN (SELECT value FROM json_each(?)) AND channel_id = ? AND name_key = ?`,
        list,
        channel.id,
        key,
      );
    } else {
      tx.run(
        `INSERT INTO user_topics (user_id, channel_id, name_key, topic, policy, updated_at)
         SELECT value, ?, ?, ?, ?, ? FROM json_each(?) WHERE true ORDER BY value
         ON CONFLICT (user_id, channel_id, name_key) DO UPDATE SET topic = excluded.topic, policy = excluded.policy,
           updated_at = excluded.updated_at`,
        channel.id,
        key,
        topic,
        policy,
        tx.now,
        list,
      );
    }
    tx.emit(
      {
        type: "user_topic",
        stream_id: channel.id,
        topic_name: topic,
        last_updated: Math.floor(tx.now / 1000),
        visibility_policy: policy,
      },
      { users },
    );
  }
  return mutesChanged;
}

function announceMutes(tx: Transaction, userIds: Iterable<number>): void {
  for (const userId of userIds) {
    const user = userById(tx, userId);
    if (user) tx.emit({ type: "muted_topics", muted_topics: mutedTopics(tx, user) }, { users: [userId] });
  }
}

/** When topics merge, users keep the more visible policy. */
const MOST_VISIBLE_FIRST: readonly Policy[] = [POLICY.followed, POLICY.unmuted, POLICY.none, POLICY.muted];

/**
 * Moves policies with a topic that moves completely: `all` was requested, or no message was left behind. Call it after
 * the messages moved. Users who cannot read the target get no policy there. Users without a policy for the source keep
 * their policy for the target.
 */
export function movePolicies(
  tx: Transaction,
  { from, to, moved, all }: { from: Topic; to: Topic; moved: number; all: boolean },
): void {
  if (!all && messagesIn(tx, from) > 0) return;
  const moving = policiesFor(tx, from.channel.id, from.topic);
  const ofReaders = [...moving].filter(([userId]) => {
    const user = userById(tx, userId);
    return user !== undefined && readableHistory(tx, user, to.channel) !== "none";
  });
  if (from.channel.id === to.channel.id && topicKey(from.topic) === topicKey(to.topic)) {
    // Users who can no longer read the topic must not learn its new spelling.
    announceMutes(tx, writePolicies(tx, to, new Map(ofReaders)));
    return;
  }
  const joins = messagesIn(tx, to) > moved;
  const inTarget = policiesFor(tx, to.channel.id, to.topic);
  const policies = new Map<number, Policy>();
  for (const [userId, policy] of ofReaders) {
    const own = inTarget.get(userId) ?? POLICY.none;
    const both = MOST_VISIBLE_FIRST.find((one) => one === policy || one === own) ?? policy;
    policies.set(userId, joins ? both : policy);
  }
  const left = writePolicies(tx, from, new Map([...moving.keys()].map((userId) => [userId, POLICY.none])));
  const taken = writePolicies(tx, to, policies);
  announceMutes(tx, new Set([...left, ...taken]));
}

/** Values of `automatically_follow_topics_policy` and `automatically_unmute_topics_in_muted_streams_policy`. */
const ON = { participating: 1, sending: 2, starting: 3 } as const;

/** The policy that the user's settings give a topic after these activities. Undefined: no change. */
function policyAfter(tx: Transaction, user: User, channel: Channel, did: readonly number[]): Policy | undefined {
  if (user.is_bot) return undefined;
  if (did.includes(userSetting(tx, user.id, "automatically_follow_topics_policy"))) return POLICY.followed;
  const subscription = subscriptionsOf(tx, user.id).get(channel.id);
  const muted = subscription?.subscribed === true && subscription.is_muted;
  if (muted && did.includes(userSetting(tx, user.id, "automatically_unmute_topics_in_muted_streams_policy")))
    return POLICY.unmuted;
  return undefined;
}

function raisePolicy(tx: Transaction, user: User, topic: Topic, policy: Policy | undefined): Policy | undefined {
  const before = topicPolicy(tx, user.id, topic.channel.id, topic.topic);
  if (policy === undefined || before === policy || before === POLICY.followed) return undefined;
  setTopicPolicy(tx, user, topic, policy);
  return policy;
}

/**
 * Applies the sender's settings for following and unmuting, and follows the topic for mentioned users (`mentioned`,
 * without wildcards). Returns the sender's new policy if it changed.
 * Sending to a muted topic unmutes it if the settings say so. Being mentioned in it or starting it again does not.
 */
export function policyAfterSending(
  tx: Transaction,
  sender: User,
  channel: Channel,
  topic: string,
  { messageId, topicNumber, mentioned }: { messageId: number; topicNumber: number; mentioned: Iterable<number> },
): Policy | undefined {
  const before = topicPolicy(tx, sender.id, channel.id, topic);
  const starts = before === POLICY.none && isFirstOfTopic(tx, topicNumber, messageId);
  const did = starts ? [ON.participating, ON.sending, ON.starting] : [ON.participating, ON.sending];
  const changed = raisePolicy(tx, sender, { channel, topic }, policyAfter(tx, sender, channel, did));
  followWhereMentioned(tx, sender, { channel, topic }, mentioned);
  return changed;
}

/** `mentioned`: users mentioned by name or group in a new or edited message. */
export function followWhereMentioned(
  tx: Transaction,
  sender: User,
  { channel, topic }: Topic,
  mentioned: Iterable<number>,
): void {
  const following = new Map<number, Policy>();
  const people = [...mentioned];
  const policies = people.length > 0 ? policiesFor(tx, channel.id, topic) : new Map<number, Policy>();
  for (const userId of people) {
    const user = userId === sender.id ? undefined : userById(tx, userId);
    const before = policies.get(userId);
    if (!user?.is_active || user.is_bot || before === POLICY.muted || before === POLICY.followed) continue;
    if (!userSetting(tx, userId, "automatically_follow_topics_where_mentioned")) continue;
    if (readableHistory(tx, user, channel) !== "none") following.set(userId, POLICY.followed);
  }
  if (following.size > 0) writePolicies(tx, { channel, topic }, following);
}

/** For taking part without a message, such as a reaction or a vote. */
export function policyAfterTakingPart(
  tx: Transaction,
  user: User,
  { channel_id, topic }: { channel_id: number | null; topic: string },
): void {
  const channel = channel_id === null ? undefined : channelById(tx, channel_id);
  if (channel) raisePolicy(tx, user, { channel, topic }, policyAfter(tx, user, channel, [ON.participating]));
}

export const messagesIn = (tx: Transaction, { channel, topic }: Topic): number =>
  tx.value<number>("SELECT COUNT(*) FROM messages WHERE topic_id = ?", topicId(tx, channel.id, topic) ?? 0) ?? 0;

const isFirstOfTopic = (tx: Transaction, topicNumber: number, messageId: number): boolean =>
  tx.value("SELECT 1 FROM messages WHERE topic_id = ? AND id <> ? LIMIT 1", topicNumber, messageId) === undefined;
