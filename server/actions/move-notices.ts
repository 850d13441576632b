import { readableHistory } from "../access/channels.ts";
import { readableAmong, readersOf } from "../access/messages.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { messageRow } from "../queries/messages.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { notificationBot } from "../queries/system-bots.ts";
import { POLICY, policiesFor, RESOLVED, topicId, topicKey, withoutResolved } from "../queries/topics.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader, Transaction } from "../storage/transaction.ts";
import { deleteMessages } from "./message-deletions.ts";
import { notifyTopic, personLink, topicForNotice, topicLink } from "./notices.ts";
import type { Topic } from "./topics.ts";

/** In which threads the mover wants the move to be told of. */
export interface RequestedNotices {
  oldThread: boolean;
  newThread: boolean;
}

/** What is known of a move before it is made. */
interface PlannedMove {
  ids: readonly number[];
  from: Topic;
  to: Topic;
  /** Whether there were messages in the new thread before. */
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

/** Tells of a move that was just made: that a topic is resolved or is not, or where messages went and came from. */
export function noticesOfMove(tx: Transaction, actor: User, move: PlannedMove, wanted: RequestedNotices): void {
  const { from, to } = move;
  const staysInChannel = from.channel.id === to.channel.id;
  if (staysInChannel && topicKey(from.topic) === topicKey(to.topic)) return;
  const whole = !hasMessages(tx, from);
  if (whole && staysInChannel && withoutResolved(from.topic) === withoutResolved(to.topic)) {
    noticeOfResolving(tx, actor, to);
    return;
  }
  if (wanted.newThread) notifyThread(tx, actor, { ...move, whole, here: to, there: from });
  if (wanted.oldThread) notifyThread(tx, actor, { ...move, whole, here: from, there: to });
}

interface ThreadNotice extends PlannedMove {
  /** Whether nothing stayed behind. */
  whole: boolean;
  here: Topic;
  there: Topic;
}

function notifyThread(tx: Transaction, actor: User, { ids, to, joins, whole, here, there }: ThreadNotice): void {
  // A topic that the channel's policy does not take any more does not come back for a notice's sake.
  if (topicForNotice(tx, here.channel, here.topic) !== here.topic) return;
  const readers = readersOf(tx, here.channel, ids[0] as number).map((id) => userById(tx, id) as User);
  const arrived = here === to;
  const known = mayBeNamed(tx, readers, { ids, here: here.channel, there: there.channel });
  const elsewhere = here.channel.id === there.channel.id ? "another topic" : "another channel";
  const place = known ? topicLink(there.channel, there.topic) : elsewhere;
  const counted = readers.every((user) => readableAmong(tx, user, ids, here.channel).length === ids.length);
  const some = counted ? (ids.length === 1 ? "a message" : `${ids.length} messages`) : "messages";
  const isTopic = whole && !(arrived && joins);
  const what = isTopic ? "this topic" : some;
  const way = arrived ? `here from ${place}` : `${isTopic ? "" : "from this topic "}to ${place}`;
  const naming = known ? [there.channel] : [];
  notifyTopic(tx, here.channel, here.topic, `${personLink(actor)} moved ${what} ${way}.`, {
    naming,
    readBy: new Set([actor.id]),
  });
}

/**
 * Whether everybody who reads a notice in one channel may know that another has, or had, a topic of that name: all of
 * them read there, and what was moved too.
 */
function mayBeNamed(
  reader: Reader,
  readers: readonly User[],
  { ids, here, there }: { ids: readonly number[]; here: Channel; there: Channel },
): boolean {
  if (here.id !== there.id && here.is_web_public && !there.is_web_public) return false;
  return readers.every((user) => {
    const history = readableHistory(reader, user, there);
    return (
      history === "all" || (history === "received" && readableAmong(reader, user, ids, there).length === ids.length)
    );
  });
}

/** Who takes it back so soon leaves no trace. */
const TAKEN_BACK_WITHIN_MS = 60_000;
const OF_RESOLVING = /^@_\*\*[^*]+\|\d+\*\* marked this topic as (?:un)?resolved\.$/;

function noticeOfResolving(tx: Transaction, actor: User, place: Topic): void {
  const last = tx.get<{ id: number; sender_id: number; content: string; sent_at: number }>(
    "SELECT id, sender_id, content, sent_at FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT 1",
    topicId(tx, place.channel.id, place.topic) ?? 0,
  );
  const isNotice = last && last.sender_id === notificationBot(tx).id && OF_RESOLVING.test(last.content);
  if (isNotice && last.sent_at > tx.now - TAKEN_BACK_WITHIN_MS) {
    deleteMessages(tx, actor, [last.id]);
    return;
  }
  const state = place.topic.startsWith(RESOLVED) ? "resolved" : "unresolved";
  const content = `${personLink(actor)} marked this topic as ${state}.`;
  notifyTopic(tx, place.channel, place.topic, content, { readBy: readAtOnce(tx, place) });
}

/** Whose setting has the notice of a resolved topic count as read. */
function readAtOnce(tx: Transaction, { channel, topic }: Topic): Set<number> {
  const policies = policiesFor(tx, channel.id, topic);
  return new Set(
    subscribersOf(tx, channel.id).ids.filter((userId) => {
      const setting = userSetting(tx, userId, "resolved_topic_notice_auto_read_policy");
      return setting === "always" || (setting === "except_followed" && policies.get(userId) !== POLICY.followed);
    }),
  );
}
