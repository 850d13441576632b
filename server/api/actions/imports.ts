import {
  type NewImportedChannel,
  type NewImportedFile,
  type NewImportedMessage,
  type NewPerson,
  type RenderedText,
  type Slice,
  withIds,
} from "../../imports/target.ts";
import { RENDERER_VERSION } from "../../markdown/render.ts";
import type { NewFile } from "../../media/files/stored-files.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { couldBeStandIn } from "../access/email-visibility.ts";
import { isBlank, UNPRINTABLE } from "../access/names.ts";
import { validEmail, validFullName } from "../access/users.ts";
import { activeFolderByName, MAX_CHANNEL_FOLDER_NAME_LENGTH } from "../queries/channel-folders.ts";
import {
  type Channel,
  channelByName,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from "../queries/channels.ts";
import { conversationKey, conversationOf } from "../queries/conversations.ts";
import { type CustomEmoji, customEmojiById, customEmojiByName } from "../queries/emoji.ts";
import { importById, importSpan, newestRange } from "../queries/imports.ts";
import { mergeOf } from "../queries/merges.ts";
import { type IndexEntry, messageIndex } from "../queries/message-index.ts";
import { HOLDS, storedHtml } from "../queries/messages.ts";
import { organizationSetting } from "../queries/organization.ts";
import { FLAG } from "../queries/read-state.ts";
import { systemGroupId } from "../queries/user-group-members.ts";
import { activeUserIds, emailKey, ROLES, type User, userByEmail, userById } from "../queries/users.ts";
import { insertAttachment, updateAttachments } from "./attachments.ts";
import { recordAudit } from "./audit.ts";
import { type AvatarFiles, placeAvatar } from "./avatars.ts";
import { createChannelFolder } from "./channel-folders.ts";
import { createChannel } from "./channels.ts";
import { insertCustomEmoji, type NewEmoji } from "./emoji.ts";
import { resetEventQueues } from "./event-queues.ts";
import { writeNewFlags } from "./message-flags.ts";
import { refreshFirstMessage, topicToSendIn } from "./messages.ts";
import { awaitPictures, type NewPicture } from "./pictures.ts";
import { renderDescription } from "./rendering.ts";
import { insertRow } from "./rows.ts";
import { newColor, subscribe } from "./subscriptions.ts";
import { announceNewPerson } from "./user-visibility.ts";
import { insertFirstSettings } from "./users.ts";

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

/** Returns the people in this order. A person with the address of an account becomes that account. */
export function importPeople(
  tx: Transaction,
  importId: number,
  people: readonly NewPerson[],
): { sourceId: string; id: number; name: string; isNew: boolean }[] {
  return people.map((person) => {
    const found = person.email === undefined || person.isBot ? undefined : userByEmail(tx, person.email);
    const existing = found && !found.is_bot ? accountOf(tx, found) : undefined;
    const user = existing ?? createStub(tx, importId, person);
    insertRow(tx, "import_people", {
      import_id: importId,
      source_id: person.sourceId,
      user_id: user.id,
      is_new: existing ? 0 : 1,
    });
    return { sourceId: person.sourceId, id: user.id, name: user.full_name, isNew: existing === undefined };
  });
}

/** Where the history of an account goes that is being merged. */
const accountOf = (tx: Transaction, user: User): User => userById(tx, mergeOf(tx, user.id)?.user_id ?? user.id) as User;

/** A deactivated account, until its person claims it. */
function createStub(tx: Transaction, importId: number, { sourceId, ...person }: NewPerson): User {
  const email = emailOf(tx, person.email) ?? freeStubEmail(tx, importId);
  const id = insertRow(tx, "users", {
    email,
    email_key: emailKey(email),
    full_name: fullNameOf(person.name || sourceId),
    role: ROLES[person.role],
    is_bot: Number(person.isBot),
    bot_type: person.isBot ? 1 : null,
    is_active: 0,
    timezone: person.timezone,
    password_hash: null,
    joined_at: person.joinedAt || tx.now,
    is_imported_stub: 1,
  });
  // The organization's defaults decide who sees the address.
  insertFirstSettings(tx, id, { is_bot: person.isBot });
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

/** Returns the channel, with all active members subscribed. */
export function importChannel(tx: Transaction, importId: number, channel: NewImportedChannel): Channel {
  const description = [...channel.description.replaceAll("\0", "").trim()]
    .slice(0, MAX_CHANNEL_DESCRIPTION_LENGTH)
    .join("");
  const created = createChannel(tx, null, {
    name: freeChannelName(tx, channel.name, channel.suffix),
    description,
    rendered_description: renderDescription(tx, description),
    folder_id: channel.folder === undefined ? null : importFolder(tx, importId, channel.folder),
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

/** The folder of this name, which may exist. */
function importFolder(tx: Transaction, importId: number, wanted: string): number | null {
  const name = [...printable(wanted)].slice(0, MAX_CHANNEL_FOLDER_NAME_LENGTH).join("").trim();
  if (isBlank(name)) return null;
  const existing = activeFolderByName(tx, name);
  if (existing !== undefined) return existing;
  const id = createChannelFolder(tx, null, { name, description: "" });
  insertRow(tx, "import_folders", { import_id: importId, folder_id: id });
  return id;
}

const printable = (text: string): string =>
  text.replace(new RegExp(UNPRINTABLE, "gu"), " ").replace(/\s+/g, " ").trim();

function freeChannelName(reader: Reader, wanted: string, suffix: string): string {
  const words = printable(wanted);
  const name = isBlank(words) ? suffix : words;
  for (let count = 0; ; count += 1) {
    const end = count === 0 ? "" : count === 1 ? ` (${suffix})` : ` (${suffix} ${count})`;
    const candidate =
      [...name]
        .slice(0, MAX_CHANNEL_NAME_LENGTH - [...end].length)
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

/** A file of a message, with its content in the folder of uploads. */
export type StoredImportedFile = Omit<NewImportedFile, "content"> & {
  file: NewFile;
  contentType: string;
  picture: NewPicture | undefined;
};

/** Writes messages in this order. Returns the id of the first; the others follow. */
export function importMessages(
  tx: Transaction,
  importId: number,
  {
    client,
    messages,
    slot,
    files,
  }: Pick<Slice, "messages" | "slot"> & { client: string; files: readonly StoredImportedFile[] },
): number {
  messageIndex(tx).prepare(tx);
  for (const { ownerId, ...file } of files) insertAttachment(tx, userById(tx, ownerId) as User, file);
  const first = (tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") ?? 0) + 1;
  const linked = (text: string) => withIds(text, slot, first);
  for (const message of messages)
    importMessage(tx, { ...message, content: linked(message.content), html: linked(message.html) }, client);
  const last = first + messages.length - 1;
  const range = newestRange(tx, importId);
  if (range?.last_id === first - 1)
    tx.run("UPDATE import_ranges SET last_id = ? WHERE first_id = ?", last, range.first_id);
  else insertRow(tx, "import_ranges", { first_id: first, last_id: last, import_id: importId, written_at: tx.now });
  tx.run("UPDATE imports SET messages = messages + ? WHERE id = ?", messages.length, importId);
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
  awaitPictures(tx, id, message.awaitsPictures);
}

/** Replaces the texts of imported messages before anybody reads them. */
export function importTexts(tx: Transaction, texts: readonly ({ id: number } & RenderedText)[]): void {
  const index = messageIndex(tx);
  for (const { id, content, html, holds } of texts)
    tx.run(
      "UPDATE messages SET content = ?, rendered_content = ?, holds = ? WHERE id = ?",
      content,
      storedHtml(content, html),
      holds,
      id,
    );
  tx.afterCommit(() => {
    for (const { id } of texts) index.rows.delete(id);
  });
}

const UNUSABLE = /[^a-z0-9._-]/g;

/** An active emoji of the name stays as it is. Undefined: the name cannot be used. */
export function importEmoji(
  tx: Transaction,
  importId: number,
  { name, picture, extension, still }: NewEmoji,
): CustomEmoji | undefined {
  const existing = customEmojiByName(tx, name);
  if (existing || UNUSABLE.test(name)) return existing;
  const id = insertCustomEmoji(tx, null, { name, picture, extension, still });
  insertRow(tx, "import_emoji", { import_id: importId, emoji_id: id });
  return customEmojiById(tx, id);
}

/** The picture of a new account. */
export const importAvatar = (tx: Transaction, userId: number, picture: AvatarFiles): void =>
  void placeAvatar(tx, userById(tx, userId) as User, picture);

/** Subscribes stubs of one channel for their claims. They have received the imported messages. */
export function finishChannel(
  tx: Transaction,
  importId: number,
  { channelId, memberIds, isArchived }: { channelId: number; memberIds: readonly number[]; isArchived: boolean },
): void {
  const span = importSpan(tx, importId);
  for (const user_id of memberIds.filter((id) => userById(tx, id)?.is_imported_stub)) {
    const parts = [`user ${user_id}`, `channel ${channelId}`];
    tx.runOn(
      parts,
      "INSERT INTO subscriptions (user_id, channel_id, subscribed, color) VALUES (?, ?, 1, ?)",
      user_id,
      channelId,
      newColor(new Set(), channelId),
    );
    if (span)
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
export function finishImport(tx: Transaction, actor: User | null, importId: number, counts: object): void {
  tx.run(
    "UPDATE imports SET state = 'done', finished_at = ?, counts = ?, last_reaction_id = ? WHERE id = ?",
    tx.now,
    JSON.stringify(counts),
    tx.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'reactions'") ?? 0,
    importId,
  );
  const { name = "", messages = 0 } = importById(tx, importId) ?? {};
  recordAudit(tx, actor, { action: "finish import", target: `import ${name}`, after: { messages } });
  resetEventQueues(tx, activeUserIds(tx));
}
