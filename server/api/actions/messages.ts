import { createHash } from "node:crypto";
import { RENDERER_VERSION, type Rendered } from "../../markdown/render.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { isProtected, usersWhoCanSeeChannel } from "../access/channels.ts";
import type { Destination } from "../access/destinations.ts";
import { mentionFlags } from "../access/mentions.ts";
import { usersWhoCannotSee } from "../access/people.ts";
import type { WireChannel } from "../presenters/channels.ts";
import { messageOnWire } from "../presenters/messages.ts";
import { wireFlags } from "../presenters/read-state.ts";
import { hiddenSender } from "../presenters/users.ts";
import { systemBotIds } from "../queries/bots.ts";
import { type Channel, channelById, isRecentlyActive } from "../queries/channels.ts";
import { conversationKey, conversationOf } from "../queries/conversations.ts";
import { type IndexEntry, messageIndex } from "../queries/message-index.ts";
import { holdsOf, type MessageRow, storedHtml } from "../queries/messages.ts";
import { mutersOf } from "../queries/muted-users.ts";
import { FLAG, ReadState } from "../queries/read-state.ts";
import { Subscribers, subscribersOf } from "../queries/subscriptions.ts";
import { type Policy, topicId, topicKey } from "../queries/topics.ts";
import { type User, userById } from "../queries/users.ts";
import { updateAttachments } from "./attachments.ts";
import { aboutChannel } from "./channels.ts";
import { writeDifferences, writeDifferencesOfMany, writeNewFlags } from "./message-flags.ts";
import { notifyDevices } from "./notifications.ts";
import { awaitPictures } from "./pictures.ts";
import { startWidget } from "./submessages.ts";
import { policyAfterSending } from "./topics.ts";
import { watchPeople } from "./user-visibility.ts";
import { enqueueForWebhooks } from "./webhook-outbox.ts";

export interface NewMessage {
  to: Destination;
  /** Markdown, normalized by `messageText`. */
  content: string;
  rendered: Rendered;
  /** The name of the program that sends. */
  client: string;
  readBySender: boolean;
  /** Other receivers for whom the message is read immediately. */
  readBy?: ReadonlySet<number>;
  /** The widget to show instead of the text. Defaults to the widget of a command in the text. */
  widget?: object | undefined;
  /** The queue of the client that sends, and the client's ID of the message. */
  origin?: { queueId: string; localId: string } | undefined;
}

/** Programs that send on behalf of a person, who has not read the message. */
const AUTOMATON = /^(?:zulippython|python|curl|wget|httpie|libcurl)/i;

/** The default if the client does not say. */
export const isReadBySender = (sender: User, client: string): boolean => sender.is_bot || !AUTOMATON.test(client);

const REMEMBERED_MS = 10 * 60_000;

export interface Sent {
  id: number;
  /** The sender's policy for the topic, if sending changed it. */
  newPolicy?: Policy | undefined;
}

/** A repeated send (docs/protocol.md#repeated-sends) returns the ID of the first message. */
export function sendMessage(tx: Transaction, sender: User, message: NewMessage): Sent {
  const { to, origin, rendered } = message;
  messageIndex(tx).prepare(tx);
  const send = origin && { ...origin, digest: digestOf(sender, message) };
  const repeated = send && earlierSend(tx, send);
  if (repeated !== undefined) return { id: repeated };

  const channel = "channel" in to ? to.channel : undefined;
  const wakesChannel = channel !== undefined && !isRecentlyActive(tx, channel, tx.now);
  const { row, topicNumber } = insertMessage(tx, sender, message);
  const { id, topic } = row;
  // Both changes are rare, because each write to a channel invalidates cached values for everyone.
  if (channel?.first_message_id === null) setFirstMessage(tx, channel, id);
  if (channel && wakesChannel) announceProperty(tx, channel, "is_recently_active", true);
  if (send) rememberSend(tx, send, id);

  const receivers = "channel" in to ? subscribersOf(tx, to.channel.id) : new Subscribers(to.userIds);
  const readBy = writeReadState(tx, sender, message, { id, receivers });
  const bits = mentionFlags(tx, { senderId: sender.id, to, rendered, now: tx.now });
  if (bits.size > 0) writeNewFlags(tx, id, bits);
  enqueueForWebhooks(tx, sender, { messageId: id, userIds: "channel" in to ? undefined : to.userIds, flags: bits });
  announceMessage(tx, sender, message, { row, receivers, bits, readBy });
  notifyDevices(tx, id, {
    senderId: sender.id,
    to,
    receivers,
    flagged: bits.keys(),
    flagsOf: (userId) => wireFlags(!readBy.has(userId), bits.get(userId) ?? 0),
  });
  if (!channel || topicNumber === null) return { id };
  const mentioned = [...bits].filter(([, own]) => own & FLAG.mentioned).map(([userId]) => userId);
  return { id, newPolicy: policyAfterSending(tx, sender, channel, topic, { messageId: id, topicNumber, mentioned }) };
}

function insertMessage(
  tx: Transaction,
  sender: User,
  message: NewMessage,
): { row: MessageRow; topicNumber: number | null } {
  const { to, content, rendered, client } = message;
  const [channel, topic] = "channel" in to ? [to.channel, to.topic] : [undefined, ""];
  const userIds = "channel" in to ? undefined : to.userIds;
  const recipientId = channel ? channel.recipient_id : conversationToSendIn(tx, userIds ?? []);
  const topicNumber = channel ? topicToSendIn(tx, channel.id, topic) : null;
  const channelId = channel?.id ?? null;
  const id = tx.run(
    `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
       rendered_content, renderer_version, sent_at, client, holds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sender.id,
    recipientId,
    channelId,
    channelId,
    topicNumber,
    topic,
    content,
    storedHtml(content, rendered.html),
    RENDERER_VERSION,
    tx.now,
    client,
    holdsOf(rendered),
  );
  awaitPictures(tx, id, rendered.awaitsPictures);
  const index = messageIndex(tx);
  const entry: IndexEntry = {
    sender: sender.id,
    sent: channelId ?? 0,
    location: channelId ?? -recipientId,
    topic: topicNumber ?? 0,
  };
  tx.afterCommit(() => {
    index.add(id, entry);
    if (topicNumber !== null) index.topicNames.set(topicNumber, topic);
  });
  if (rendered.hasAttachment) updateAttachments(tx, sender, { messageId: id, links: rendered.links });
  const row: MessageRow = {
    id,
    sender_id: sender.id,
    recipient_id: recipientId,
    channel_id: channelId,
    topic,
    content,
    rendered_content: rendered.html,
    sent_at: tx.now,
    client,
    last_edited_at: null,
    last_moved_at: null,
    conversation_key: userIds ? conversationKey(userIds) : null,
    reactions: [],
    submessages: startWidget(tx, sender, id, message),
    edits: [],
  };
  return { row, topicNumber };
}

/** Marks the message as read for some receivers, and returns them. */
function writeReadState(
  tx: Transaction,
  sender: User,
  message: NewMessage,
  { id, receivers }: { id: number; receivers: Subscribers },
): Set<number> {
  const receives = receivers.has;
  const readAtOnce = message.readBySender || ("channel" in message.to && !receives.has(sender.id));
  if (!readAtOnce) writeDifferences(tx, new ReadState(tx, sender.id), [id]);
  const readBy = new Set(
    [...(message.readBy ?? []), ...mutersOf(tx, sender.id)].filter((one) => one !== sender.id && receives.has(one)),
  );
  if (readBy.size > 0) writeDifferencesOfMany(tx, new Map([...readBy].map((one) => [one, [id]])));
  if (readAtOnce) readBy.add(sender.id);
  return readBy;
}

/** `bits`: mention flags by user. `readBy`: users for whom the message is read. */
function announceMessage(
  tx: Transaction,
  sender: User,
  { to, content, origin }: NewMessage,
  {
    row,
    receivers,
    bits,
    readBy,
  }: {
    row: MessageRow;
    receivers: Subscribers;
    bits: ReadonlyMap<number, number>;
    readBy: ReadonlySet<number>;
  },
): void {
  const people = "channel" in to ? receivers.ids : withoutSystemBots(tx, receivers.ids);
  const users = withMentionedBots(tx, people, bits);
  const { flags, perUserOverrides } = flagsOnWire(users, bits, readBy);
  // Subscribers can see each other. So no one needs a placeholder if only subscribers get the message.
  const isAmongThem = users === people && receivers.has.has(sender.id);
  const from = "channel" in to && !isAmongThem ? usersWhoCannotSee(tx, sender) : [];
  const hidden = from.length > 0 && { hidden_sender: { from, as: hiddenSender(tx, sender.id) } };
  const queue = origin && {
    queueId: origin.queueId,
    fields: { local_id: origin.localId, local_message_id: origin.localId },
  };
  tx.emit(
    { type: "message", message: messageOnWire(tx, row), raw_content: content, flags, ...hidden },
    {
      users,
      perUserOverrides,
      ...("channel" in to && !to.channel.invite_only && { alsoAllPublic: true }),
      ...(queue && { origin: queue }),
    },
  );
}

function withoutSystemBots(tx: Transaction, userIds: readonly number[]): readonly number[] {
  const systemBots = systemBotIds(tx);
  return userIds.filter((id) => !systemBots.includes(id));
}

/** A mentioned bot gets the message without a subscription if it can read the channel. */
function withMentionedBots(
  tx: Transaction,
  users: readonly number[],
  flags: ReadonlyMap<number, number>,
): readonly number[] {
  const bots: number[] = [];
  for (const [id, bits] of flags) if (bits & FLAG.historical && userById(tx, id)?.is_bot) bots.push(id);
  // Returns the same array if possible, because the log stores a known audience once.
  return bots.length > 0 ? [...users, ...bots] : users;
}

/** A bit outside `FLAG`, used only in `flagsOnWire`. */
const READ = 1 << 20;

/** The most common flags are in the event; other users get overrides. The log stores equal override objects once. */
function flagsOnWire(
  users: readonly number[],
  bits: ReadonlyMap<number, number>,
  readBy: ReadonlySet<number>,
): { flags: string[]; perUserOverrides: Map<number, { flags: string[] }> } {
  const forms = new Map<number, { flags: string[] }>();
  const formOf = (own: number) => {
    const form = forms.get(own) ?? { flags: wireFlags((own & (FLAG.historical | READ)) === 0, own) };
    forms.set(own, form);
    return form;
  };
  const special = new Map(bits);
  for (const userId of readBy) special.set(userId, (bits.get(userId) ?? 0) | READ);
  // Scans the audience only if most of it has flags.
  const common = special.size * 2 > users.length ? commonest(special.values()) : 0;
  const perUserOverrides = new Map<number, { flags: string[] }>();
  for (const id of common === 0 ? special.keys() : users) {
    const own = special.get(id) ?? 0;
    if (own !== common) perUserOverrides.set(id, formOf(own));
  }
  // Users outside the audience.
  if (common !== 0) {
    const audience = new Set(users);
    for (const [id, own] of special) if (!audience.has(id)) perUserOverrides.set(id, formOf(own));
  }
  return { flags: formOf(common).flags, perUserOverrides };
}

function commonest(values: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

function digestOf(sender: User, { to, content }: NewMessage): string {
  const target = "channel" in to ? [to.channel.id, to.topic] : conversationKey(to.userIds);
  return createHash("sha256")
    .update(JSON.stringify([sender.id, target, content]))
    .digest("base64");
}

interface RememberedSend {
  queueId: string;
  localId: string;
  digest: string;
}

const earlierSend = (tx: Transaction, { queueId, localId, digest }: RememberedSend): number | undefined =>
  tx.value<number>(
    "SELECT message_id FROM local_sends WHERE queue_id = ? AND local_id = ? AND digest = ? AND sent_at > ?",
    queueId,
    localId,
    digest,
    tx.now - REMEMBERED_MS,
  );

function rememberSend(tx: Transaction, { queueId, localId, digest }: RememberedSend, id: number): void {
  tx.run(
    `INSERT INTO local_sends (queue_id, local_id, digest, message_id, sent_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (queue_id, local_id, digest)
     DO UPDATE SET message_id = excluded.message_id, sent_at = excluded.sent_at`,
    queueId,
    localId,
    digest,
    id,
    tx.now,
  );
}

/** Deletes at most `max` rows that are too old to detect repeated sends. */
export function deleteExpiredLocalSends(tx: Transaction, max: number): void {
  const before = tx.now - REMEMBERED_MS;
  if (tx.value("SELECT 1 FROM local_sends WHERE sent_at < ? LIMIT 1", before) === undefined) return;
  tx.run(
    `DELETE FROM local_sends WHERE (queue_id, local_id, digest) IN (
       SELECT queue_id, local_id, digest FROM local_sends WHERE sent_at < ?
       ORDER BY sent_at, queue_id, local_id, digest LIMIT ?)`,
    before,
    max,
  );
}

function conversationToSendIn(tx: Transaction, userIds: readonly number[]): number {
  const existing = conversationOf(tx, userIds);
  if (existing !== undefined) return existing;
  const announcePeople = watchPeople(tx, { among: () => new Set(userIds) });
  const id = tx.run("INSERT INTO recipients (conversation_key) VALUES (?)", conversationKey(userIds));
  for (const userId of new Set(userIds)) {
    tx.run("INSERT INTO conversation_members (user_id, recipient_id) VALUES (?, ?)", userId, id);
  }
  announcePeople();
  return id;
}

export const topicToSendIn = (tx: Transaction, channelId: number, topic: string): number =>
  topicId(tx, channelId, topic) ??
  tx.run("INSERT INTO topics (channel_id, name_key) VALUES (?, ?)", channelId, topicKey(topic));

const announceProperty = (tx: Transaction, channel: Channel, property: keyof WireChannel, value: unknown): void =>
  tx.emit(
    {
      type: "stream",
      op: "update",
      stream_id: channel.id,
      name: channel.name,
      property,
      value,
      ...aboutChannel(channel),
    },
    { users: usersWhoCanSeeChannel(tx, channel) },
  );

function setFirstMessage(tx: Transaction, channel: Channel, id: number | null): void {
  tx.run("UPDATE channels SET first_message_id = ? WHERE id = ?", id, channel.id);
  if (!isProtected(channel)) announceProperty(tx, channel, "first_message_id", id);
}

export function refreshFirstMessage(tx: Transaction, channelId: number): void {
  const channel = channelById(tx, channelId);
  if (!channel) return;
  const sql = "SELECT id FROM messages WHERE recipient_id = ? ORDER BY id LIMIT 1";
  const oldest = tx.value<number>(sql, channel.recipient_id) ?? null;
  if (oldest !== channel.first_message_id) setFirstMessage(tx, channel, oldest);
}
