import { RENDERER_VERSION } from "../../markdown/render.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { couldBeStandIn } from "../access/email-visibility.ts";
import { isBlank, UNPRINTABLE } from "../access/names.ts";
import { validEmail, validFullName } from "../access/users.ts";
import { type Channel, channelByName } from "../queries/channels.ts";
import { conversationKey, conversationOf } from "../queries/conversations.ts";
import { importById, newestRange } from "../queries/imports.ts";
import { type IndexEntry, messageIndex } from "../queries/message-index.ts";
import { HOLDS, storedHtml } from "../queries/messages.ts";
import { organizationSetting } from "../queries/organization.ts";
import { FLAG } from "../queries/read-state.ts";
import { systemGroupId } from "../queries/user-group-members.ts";
import { activeUserIds, emailKey, type Role, type User, userByEmail, userById } from "../queries/users.ts";
import { updateAttachments } from "./attachments.ts";
import { recordAudit } from "./audit.ts";
import { createChannel } from "./channels.ts";
import { resetEventQueues } from "./event-queues.ts";
import { writeNewFlags } from "./message-flags.ts";
import { refreshFirstMessage, topicToSendIn } from "./messages.ts";
import { insertRow } from "./rows.ts";
import { newColor, subscribe } from "./subscriptions.ts";
import { announceNewPerson } from "./user-visibility.ts";

/*
 * An import writes in slices, each in a transaction of its own. Imported messages are read for everybody and send no
 * events: everybody's queues are reset at the end. An import that does not end is removed at the next start.
 */

/** A null actor is the operator. */
export function startImport(
  tx: Transaction,
  actor: User | null,
  { format, name, counts }: { format: string; name: string; counts: object },
): number {
  const id = insertRow(tx, "imports", {
    format,
    name,
    started_by: actor?.id ?? null,
    started_at: tx.now,
    state: "writing",
    counts: JSON.stringify(counts),
  });
  recordAudit(tx, actor, { action: "start import", target: `import ${name}` });
  return id;
}

export interface NewPerson {
  sourceId: string;
  name: string;
  email: string | undefined;
  role: Role;
  isBot: boolean;
  timezone: string;
  joinedAt: number;
}

/** Returns user ids by source id. A person with the address of an account becomes that account. */
export function importPeople(tx: Transaction, importId: number, people: readonly NewPerson[]): Map<string, number> {
  const ids = new Map<string, number>();
  for (const person of people) {
    const existing = person.email === undefined || person.isBot ? undefined : userByEmail(tx, person.email);
    const user = existing && !existing.is_bot ? existing : createStub(tx, importId, person);
    ids.set(person.sourceId, user.id);
    insertRow(tx, "import_people", {
      import_id: importId,
      source_id: person.sourceId,
      user_id: user.id,
      is_new: user === existing ? 0 : 1,
    });
  }
  return ids;
}

/** A deactivated account, until its person claims it. */
function createStub(tx: Transaction, importId: number, { sourceId, ...person }: NewPerson): User {
  const email = emailOf(tx, person.email) ?? freeStubEmail(tx, importId);
  const id = insertRow(tx, "users", {
    email,
    email_key: emailKey(email),
    full_name: fullNameOf(person.name || sourceId),
    role: person.role,
    is_bot: Number(person.isBot),
    bot_type: person.isBot ? 1 : null,
    is_active: 0,
    timezone: person.timezone,
    password_hash: null,
    joined_at: person.joinedAt,
    is_imported_stub: 1,
  });
  if (person.isBot) tx.run("INSERT INTO bots (user_id, default_all_public_streams) VALUES (?, 0)", id);
  const user = userById(tx, id) as User;
  announceNewPerson(tx, user);
  return user;
}

/** Undefined if the address is invalid or reserved. */
function emailOf(reader: Reader, email: string | undefined): string | undefined {
  try {
    const valid = email === undefined ? undefined : validEmail(email);
    return valid === undefined || couldBeStandIn(reader, valid) || userByEmail(reader, valid) ? undefined : valid;
  } catch {
    return undefined;
  }
}

function freeStubEmail(tx: Transaction, importId: number): string {
  const next = (tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'users'") ?? 0) + 1;
  return `imported-${importId}-${next}@${organizationSetting(tx, "email_host")}`;
}

const UNKNOWN = "Unknown";

/** A valid name with the words of the source's name. */
function fullNameOf(name: string): string {
  const words = name
    .replace(/[*`\\>"@|]|\p{Cc}/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...words].slice(0, 100).join("").trim();
  try {
    return validFullName(letters);
  } catch {
    return [...letters].length === 1 && !isBlank(letters) ? `${letters}.` : UNKNOWN;
  }
}

export interface NewImportedChannel {
  sourceId: string;
  name: string;
  description: string;
  renderedDescription: string;
  isPrivate: boolean;
  isReadOnly: boolean;
  memberIds: readonly number[];
}

/** `suffix`: for names that another channel has. Returns the channel, with all active members subscribed. */
export function importChannel(
  tx: Transaction,
  importId: number,
  channel: NewImportedChannel,
  { suffix }: { suffix: string },
): Channel {
  const created = createChannel(tx, null, {
    name: freeChannelName(tx, channel.name, suffix),
    description: channel.description,
    rendered_description: channel.renderedDescription,
    invite_only: channel.isPrivate,
    is_web_public: false,
    history_public_to_subscribers: true,
    message_retention_days: null,
    topics_policy: "inherit",
    is_default: false,
    groups: channel.isReadOnly ? { can_send_message_group: systemGroupId(tx, "role:moderators") } : {},
  });
  insertRow(tx, "import_channels", {
    import_id: importId,
    channel_id: created.id,
    source_id: channel.sourceId,
  });
  const users = channel.memberIds.map((id) => userById(tx, id)).filter((user) => user?.is_active) as User[];
  if (users.length > 0) subscribe(tx, { users, channels: [created] });
  return created;
}

const MAX_CHANNEL_NAME = 60;

function freeChannelName(reader: Reader, wanted: string, suffix: string): string {
  const printable = wanted.replace(new RegExp(UNPRINTABLE, "gu"), " ").replace(/\s+/g, " ").trim();
  const name = isBlank(printable) ? suffix : printable;
  for (let count = 0; ; count += 1) {
    const end = count === 0 ? "" : count === 1 ? ` (${suffix})` : ` (${suffix} ${count})`;
    const candidate =
      [...name]
        .slice(0, MAX_CHANNEL_NAME - [...end].length)
        .join("")
        .trim() + end;
    if (!channelByName(reader, candidate)) return candidate;
  }
}

/** Returns the recipient id of the direct conversation between these users. */
export function importConversation(tx: Transaction, importId: number, userIds: readonly number[]): number {
  const existing = conversationOf(tx, userIds);
  const id = existing ?? tx.run("INSERT INTO recipients (conversation_key) VALUES (?)", conversationKey(userIds));
  if (existing === undefined)
    for (const user_id of new Set(userIds)) insertRow(tx, "conversation_members", { user_id, recipient_id: id });
  tx.run(
    `INSERT INTO import_conversations (import_id, recipient_id, is_new) VALUES (?, ?, ?)
     ON CONFLICT (import_id, recipient_id) DO NOTHING`,
    importId,
    id,
    existing === undefined ? 1 : 0,
  );
  return id;
}

export interface NewReaction {
  userId: number;
  emoji_name: string;
  emoji_code: string;
  reaction_type: "unicode_emoji" | "realm_emoji";
}

/** A message as it is written: `import-writer.ts` renders it. */
export interface NewImportedMessage {
  senderId: number;
  to: { channelId: number; recipientId: number; topic: string } | { recipientId: number };
  content: string;
  html: string;
  /** Bits of HOLDS. */
  holds: number;
  /** Paths of uploads in the text. */
  links: readonly string[];
  sentAt: number;
  editedAt: number | null;
  mentionedIds: readonly number[];
  starredBy: readonly number[];
  reactions: readonly NewReaction[];
}

/** Writes messages in this order. Returns the id of the first; the others follow. */
export function importMessages(
  tx: Transaction,
  importId: number,
  { client, messages }: { client: string; messages: readonly NewImportedMessage[] },
): number {
  messageIndex(tx).prepare(tx);
  const ids = messages.map((message) => importMessage(tx, message, client));
  const [first, last] = [ids[0] as number, ids.at(-1) as number];
  const range = newestRange(tx, importId);
  if (range?.last_id === first - 1)
    tx.run("UPDATE import_ranges SET last_id = ? WHERE first_id = ?", last, range.first_id);
  else insertRow(tx, "import_ranges", { first_id: first, last_id: last, import_id: importId, written_at: tx.now });
  tx.run("UPDATE imports SET messages = messages + ? WHERE id = ?", ids.length, importId);
  return first;
}

function importMessage(tx: Transaction, message: NewImportedMessage, client: string): number {
  const { to, senderId } = message;
  const isChannel = "channelId" in to;
  const channelId = isChannel ? to.channelId : null;
  const topicNumber = isChannel ? topicToSendIn(tx, to.channelId, to.topic) : null;
  const id = tx.run(
    `INSERT INTO messages (sender_id, recipient_id, sent_channel_id, channel_id, topic_id, topic, content,
       rendered_content, renderer_version, sent_at, client, last_edited_at, holds)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    senderId,
    to.recipientId,
    channelId,
    channelId,
    topicNumber,
    isChannel ? to.topic : "",
    message.content,
    storedHtml(message.content, message.html),
    RENDERER_VERSION,
    message.sentAt,
    client,
    message.editedAt,
    message.holds,
  );
  const index = messageIndex(tx);
  const entry: IndexEntry = {
    sender: senderId,
    sent: channelId ?? 0,
    location: channelId ?? -to.recipientId,
    topic: topicNumber ?? 0,
  };
  tx.afterCommit(() => {
    index.add(id, entry);
    if (topicNumber !== null && isChannel) index.topicNames.set(topicNumber, to.topic);
  });
  writeRelated(tx, id, message);
  return id;
}

function writeRelated(tx: Transaction, id: number, message: NewImportedMessage): void {
  const flags = new Map<number, number>();
  for (const userId of message.mentionedIds) flags.set(userId, FLAG.mentioned);
  for (const userId of message.starredBy) flags.set(userId, (flags.get(userId) ?? 0) | FLAG.starred);
  if (flags.size > 0) writeNewFlags(tx, id, flags);
  for (const { userId, ...emoji } of message.reactions)
    insertRow(tx, "reactions", { message_id: id, user_id: userId, ...emoji });
  if (message.holds & HOLDS.attachment)
    updateAttachments(tx, userById(tx, message.senderId) as User, { messageId: id, links: message.links });
}

/** Subscribes stubs of one channel for their claims. They have received the imported messages. */
export function finishChannel(
  tx: Transaction,
  channelId: number,
  {
    memberIds,
    isArchived,
    span,
  }: { memberIds: readonly number[]; isArchived: boolean; span: { first: number; last: number } },
): void {
  for (const user_id of memberIds.filter((id) => userById(tx, id)?.is_imported_stub)) {
    const parts = [`user ${user_id}`, `channel ${channelId}`];
    tx.runOn(
      parts,
      "INSERT INTO subscriptions (user_id, channel_id, subscribed, color) VALUES (?, ?, 1, ?)",
      user_id,
      channelId,
      newColor(new Set(), channelId),
    );
    tx.runOn(
      parts,
      `INSERT INTO subscription_periods (user_id, channel_id, first_message_id, last_message_id) VALUES (?, ?, ?, ?)`,
      user_id,
      channelId,
      span.first,
      span.last,
    );
  }
  refreshFirstMessage(tx, channelId);
  if (isArchived) tx.run("UPDATE channels SET is_archived = 1 WHERE id = ?", channelId);
}

/** Clients register again, and get all imported things. */
export function finishImport(tx: Transaction, actor: User | null, importId: number): void {
  tx.run("UPDATE imports SET state = 'done', finished_at = ? WHERE id = ?", tx.now, importId);
  const { name = "", messages = 0 } = importById(tx, importId) ?? {};
  recordAudit(tx, actor, { action: "finish import", target: `import ${name}`, after: { messages } });
  resetEventQueues(tx, activeUserIds(tx));
}
