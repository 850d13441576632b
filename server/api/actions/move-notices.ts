import type { Reader, Transaction } from "../../storage/transaction.ts";
import { readableHistory } from "../access/channels.ts";
import { readableAmong, readersOf } from "../access/messages.ts";
import { notificationBot } from "../queries/bots.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { messageRow } from "../queries/messages.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { POLICY, policiesFor, RESOLVED, topicId, topicKey, withoutResolved } from "../queries/topics.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import { deleteMessages } from "./message-deletions.ts";
import { notifyTopic, personInNotice, topicForNotice, topicLink } from "./notices.ts";
import type { Topic } from "./topics.ts";

/** Topics that get a message about the move. */
export interface RequestedNotices {
  oldThread: boolean;
  newThread: boolean;
}

/** A move that is not applied yet. */
interface PlannedMove {
  ids: readonly number[];
  from: Topic;
  to: Topic;
  /** Whether the new topic already had messages. */
  joins: boolean;
}

export function plannedMove(
  reader: Reader,
  move: { ids: readonly number[]; messageId?: number; channel?: Channel | undefined; topic?: string | undefined },
): PlannedMove {
  const named = messageRow(reader, move.messageId ?? (move.ids[0] as number));
  const channel = named && channelById(reader, named.channel_id ?? 0);
  if (!channel) throw new Error("Only channel messages can be moved.");
  const to = { channel: move.channel ?? channel, topic: move.topic ?? named.topic };
  return { ids: move.ids, from: { channel, topic: named.topic }, to, joins: hasMessages(reader, to) };
}

const hasMessages = (reader: Reader, { channel, topic }: Topic): boolean =>
  reader.value("SELECT 1 FROM messages WHERE topic_id = ? LIMIT 1", topicId(reader, channel.id, topic) ?? 0) !==
  undefined;

/** Posts that a topic was resolved or unresolved, or where messages moved. */
export function noticesOfMove(tx: Transaction, actor: User, move: PlannedMove, requested: RequestedNotices): void {
  const { from, to } = move;
  const staysInChannel = from.channel.id === to.channel.id;
  if (staysInChannel && topicKey(from.topic) === topicKey(to.topic)) return;
  const complete = !hasMessages(tx, from);
  if (complete && staysInChannel && withoutResolved(from.topic) === withoutResolved(to.topic)) {
    noticeOfResolving(tx, actor, to);
    return;
  }
  if (requested.newThread) notifyThread(tx, actor, { ...move, complete, topic: to, other: from });
  if (requested.oldThread) notifyThread(tx, actor, { ...move, complete, topic: from, other: to });
}

interface ThreadNotice extends PlannedMove {
  /** Whether no message was left behind. */
  complete: boolean;
  /** The topic that gets the message. */
  topic: Topic;
  /** The other end of the move. */
  other: Topic;
}

function notifyThread(tx: Transaction, actor: User, { ids, to, joins, complete, topic, other }: ThreadNotice): void {
  // A message must not recreate a topic that the channel's policy forbids.
  if (topicForNotice(tx, topic.channel, topic.topic) !== topic.topic) return;
  const readers = readersOf(tx, topic.channel, ids[0] as number).map((id) => userById(tx, id) as User);
  const arrived = topic === to;
  const named = mayBeNamed(tx, readers, { ids, channel: topic.channel, other: other.channel });
  const unnamed = topic.channel.id === other.channel.id ? "another topic" : "another channel";
  const otherEnd = named ? topicLink(other.channel, other.topic) : unnamed;
  const counted = readers.every((user) => readableAmong(tx, user, ids, topic.channel).length === ids.length);
  const some = counted ? (ids.length === 1 ? "a message" : `${ids.length} messages`) : "messages";
  const isTopic = complete && !(arrived && joins);
  const what = isTopic ? "this topic" : some;
  const way = arrived ? `here from ${otherEnd}` : `${isTopic ? "" : "from this topic "}to ${otherEnd}`;
  const naming = named ? [other.channel] : [];
  notifyTopic(tx, topic.channel, topic.topic, `${personInNotice(tx, actor)} moved ${what} ${way}.`, {
    naming,
    readBy: new Set([actor.id]),
  });
}

/**
 * Whether a message in `channel` can name a topic of `other`: all its readers must be able to read `other` and the
 * moved messages.
 */
function mayBeNamed(
  reader: Reader,
  readers: readonly User[],
  { ids, channel, other }: { ids: readonly number[]; channel: Channel; other: Channel },
): boolean {
  if (channel.id !== other.id && channel.is_web_public && !other.is_web_public) return false;
  return readers.every((user) => {
    const history = readableHistory(reader, user, other);
    return (
      history === "all" || (history === "received" && readableAmong(reader, user, ids, other).length === ids.length)
    );
  });
}

/** If a resolution is undone within this time, its message is deleted. */
const UNDONE_WITHIN_MS = 60_000;
const OF_RESOLVING = /^(?:@_\*\*[^*]+\|\d+\*\*|Somebody) marked this topic as (?:un)?resolved\.$/;

function noticeOfResolving(tx: Transaction, actor: User, topic: Topic): void {
  const last = tx.get<{ id: number; sender_id: number; content: string; sent_at: number }>(
    "SELECT id, sender_id, content, sent_at FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT 1",
    topicId(tx, topic.channel.id, topic.topic) ?? 0,
  );
  const isNotice = last && last.sender_id === notificationBot(tx).id && OF_RESOLVING.test(last.content);
  if (isNotice && last.sent_at > tx.now - UNDONE_WITHIN_MS) {
    deleteMessages(tx, actor, [last.id]);
    return;
  }
  const state = topic.topic.startsWith(RESOLVED) ? "resolved" : "unresolved";
  const content = `${personInNotice(tx, actor)} marked this topic as ${state}.`;
  notifyTopic(tx, topic.channel, topic.topic, content, { readBy: readAtOnce(tx, topic) });
}

/** Subscribers whose setting marks messages about resolved topics as read. */
function readAtOnce(tx: Transaction, { channel, topic }: Topic): Set<number> {
  const policies = policiesFor(tx, channel.id, topic);
  return new Set(
    subscribersOf(tx, channel.id).ids.filter((userId) => {
      const setting = userSetting(tx, userId, "resolved_topic_notice_auto_read_policy");
      return setting === "always" || (setting === "except_followed" && policies.get(userId) !== POLICY.followed);
    }),
  );
}
