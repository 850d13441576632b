import { deliveryEmail } from "../../api/access/email-visibility.ts";
import type { ExportScope } from "../../api/access/exports.ts";
import { attachmentById, attachmentsIn, pathIdOf } from "../../api/queries/attachments.ts";
import { isSystemBot, systemBots } from "../../api/queries/bots.ts";
import { channelFolders } from "../../api/queries/channel-folders.ts";
import { CHANNEL_GROUP_SETTING_NAMES } from "../../api/queries/channels.ts";
import { membersOf } from "../../api/queries/conversations.ts";
import { allCustomEmoji } from "../../api/queries/emoji.ts";
import { EXPORT_TYPE, type ExportContents, type ExportType } from "../../api/queries/exports.ts";
import { fileByName } from "../../api/queries/files.ts";
import { linkifiers } from "../../api/queries/linkifiers.ts";
import { messageIndex } from "../../api/queries/message-index.ts";
import { type MessageRow, messageRows } from "../../api/queries/messages.ts";
import {
  ORGANIZATION_PICTURES,
  organizationCreatedAt,
  organizationPicture,
  organizationSettings,
} from "../../api/queries/organization.ts";
import { profileDataOf, profileFields } from "../../api/queries/profile-fields.ts";
import { usersWithStar } from "../../api/queries/read-state.ts";
import { everybodySubscribedTo } from "../../api/queries/subscriptions.ts";
import { RESOLVED } from "../../api/queries/topics.ts";
import { directlyIn } from "../../api/queries/user-group-members.ts";
import { allUserGroups, directMembers } from "../../api/queries/user-groups.ts";
import { allUsers, ROLES, type User } from "../../api/queries/users.ts";
import type { StoredFile } from "../../media/files/stored-files.ts";
import type { Reader } from "../../storage/transaction.ts";
import { plainReadme } from "./plain-readme.ts";

/** The input of a format: one state of the organization, which does not change during the export. */
export interface ExportSource {
  readonly reader: Reader;
  readonly scope: ExportScope;
  readonly type: ExportType;
  /** The person who requested the export. Email addresses hidden from this person are left out. */
  readonly viewer: User;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** Version of Hearth. */
  readonly version: string;
  /** Whether the file of an upload is on disk. */
  isPresent(file: StoredFile): boolean;
  /** Called often, with ids of messages. */
  advanced(done: number, total: number): void;
}

/** A file of the archive: bytes, or a copy of an upload. Names are ASCII and have at most 60 characters. */
export interface ExportEntry {
  readonly name: string;
  readonly content: Uint8Array | StoredFile;
}

/**
 * Yields the entries in order, and returns their totals. Yields everything that needs the database before the first
 * upload, because writes wait for the reader.
 */
export type ExportFormat = (source: ExportSource) => Generator<ExportEntry, ExportContents>;

/** Message ids per step. */
const STEP = 500;
/** Approximate size of a file of messages. */
const PART_BYTES = 4 << 20;
const FORMAT = 1;

const ROLE_NAMES = Object.fromEntries(Object.entries(ROLES).map(([name, role]) => [role, name]));

const iso = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const lines = (values: readonly unknown[]): Buffer => Buffer.from(values.map(line).join(""));

/** JSON lines and files. `plain-readme.ts` documents each field. */
export const plainFormat: ExportFormat = function* (source) {
  const { reader, scope, viewer, type, requestedAt, version } = source;
  const withConsent = type === EXPORT_TYPE.withConsent;
  const settings = organizationSettings(reader);
  const copies = new Copies(source);
  yield {
    name: "README.md",
    content: Buffer.from(plainReadme({ organization: settings.name, madeAt: iso(requestedAt), version, withConsent })),
  };
  const { name, description, ...others } = settings;
  const pictures = Object.fromEntries(
    ORGANIZATION_PICTURES.map((one) => [
      one,
      copies.add(`organization/${one}.png`, organizationPicture(reader, one).file),
    ]),
  );
  yield {
    name: "organization.json",
    content: json({
      name,
      description,
      created_at: iso(organizationCreatedAt(reader)),
      picture: pictures["icon"],
      logo: pictures["logo"],
      night_logo: pictures["night_logo"],
      settings: others,
      linkifiers: linkifiers(reader).map(({ pattern, url_template }) => ({ pattern, url_template })),
      profile_fields: profileFields(reader).map(({ id, type: kind, name: field, hint, field_data }) => ({
        id,
        type: kind,
        name: field,
        hint,
        field_data,
      })),
    }),
  };
  const people = allUsers(reader);
  yield {
    name: "people.jsonl",
    content: lines([...people, ...systemBots(reader)].map((user) => person(reader, viewer, user, copies))),
  };
  yield { name: "groups.jsonl", content: lines(groups(reader, requestedAt)) };
  yield { name: "folders.jsonl", content: lines(folders(reader)) };
  yield {
    name: "channels.jsonl",
    content: lines(
      scope.channels.map((channel) => ({
        id: channel.id,
        name: channel.name,
        description: channel.description,
        folder_id: channel.folder_id,
        created_at: iso(channel.created_at),
        creator_id: channel.creator_id,
        is_archived: channel.is_archived,
        is_private: channel.invite_only,
        is_web_public: channel.is_web_public,
        is_history_public: channel.history_public_to_subscribers,
        is_default: channel.is_default,
        subscriber_ids: everybodySubscribedTo(reader, channel.id),
        settings: Object.fromEntries(CHANNEL_SETTINGS.map((setting) => [setting, channel[setting]])),
      })),
    ),
  };
  const found = yield* messages(source);
  yield { name: "topics.jsonl", content: lines([...found.topics.values()]) };
  yield { name: "files.jsonl", content: lines(uploads(reader, found.fileIds, copies)) };
  yield {
    name: "emoji.jsonl",
    content: lines(
      allCustomEmoji(reader).map((emoji) => ({
        id: emoji.id,
        name: emoji.name,
        author_id: emoji.author_id,
        is_deactivated: emoji.deactivated,
        file: copies.add(`emoji/${emoji.id}.${emoji.extension}`, emoji.file),
      })),
    ),
  };
  const holds: ExportContents = {
    people: people.filter(({ is_bot }) => !is_bot).length,
    channels: scope.channels.length,
    messages: found.count,
    files: copies.uploads,
  };
  yield {
    name: "export.json",
    content: json({
      format: FORMAT,
      hearth: version,
      made_at: iso(requestedAt),
      type: withConsent ? "with consent" : "public",
      made_by: viewer.id,
      consenting: scope.consenting.map(({ id }) => id),
      holds,
    }),
  };
  yield* copies.entries;
  return holds;
};

const CHANNEL_SETTINGS = ["topics_policy", "message_retention_days", ...CHANNEL_GROUP_SETTING_NAMES] as const;

/** Collects the uploads to copy after the lists. */
class Copies {
  readonly entries: ExportEntry[] = [];
  /** Number of files from messages. */
  uploads = 0;
  readonly #source: ExportSource;

  constructor(source: ExportSource) {
    this.#source = source;
  }

  /** Returns the name in the archive; null if there is no file. */
  add(name: string, file: string | null): string | null {
    const stored: StoredFile | undefined = file === null ? undefined : fileByName(this.#source.reader, file);
    if (!stored || !this.#source.isPresent(stored)) return null;
    this.entries.push({ name, content: stored });
    if (stored.kind === "attachments") this.uploads += 1;
    return name;
  }
}

const person = (reader: Reader, viewer: User, user: User, copies: Copies) => ({
  id: user.id,
  name: user.full_name,
  email: deliveryEmail(reader, user, viewer),
  role: ROLE_NAMES[user.role],
  is_active: user.is_active,
  is_bot: user.is_bot,
  is_system_bot: isSystemBot(user),
  bot_owner_id: user.bot_owner_id,
  joined_at: iso(user.joined_at),
  timezone: user.timezone,
  picture: copies.add(`people/${user.id}.png`, user.avatar),
  profile: Object.fromEntries(Object.entries(profileDataOf(reader, user.id)).map(([id, { value }]) => [id, value])),
});

const groups = (reader: Reader, now: number) =>
  allUserGroups(reader).map((group) => ({
    id: group.id,
    name: group.name,
    description: group.description,
    is_system_group: group.is_system_group,
    is_deactivated: group.deactivated,
    created_at: isoOrNull(group.created_at),
    creator_id: group.creator_id,
    member_ids: directMembers(reader, group, now),
    subgroup_ids: directlyIn(reader, group.id).subgroups,
  }));

const folders = (reader: Reader) =>
  channelFolders(reader).map(({ id, name, description, created_at, creator_id, is_archived }) => ({
    id,
    name,
    description,
    created_at: iso(Math.floor(created_at / 1000) * 1000),
    creator_id,
    is_archived,
  }));

interface Topic {
  channel_id: number;
  topic: string;
  is_resolved: boolean;
  messages: number;
  first_message_id: number;
  last_message_id: number;
}

interface FoundMessages {
  count: number;
  topics: Map<number, Topic>;
  fileIds: Set<number>;
}

/** Yields the messages in parts. Returns their topics and files. */
function* messages({ reader, scope, advanced }: ExportSource): Generator<ExportEntry, FoundMessages> {
  const index = messageIndex(reader);
  const last = index.last(reader);
  const consenting = scope.consenting.map(({ id }) => id);
  const found: FoundMessages = { count: 0, topics: new Map(), fileIds: new Set() };
  let part: string[] = [];
  let [size, number] = [0, 0];
  const finished = (): ExportEntry => {
    number += 1;
    const content = Buffer.from(part.join(""));
    [part, size] = [[], 0];
    return { name: `messages/${String(number).padStart(6, "0")}.jsonl`, content };
  };
  for (let first = 1; first <= last; first += STEP) {
    const ids: number[] = [];
    for (let id = first; id < first + STEP && id <= last; id += 1) if (scope.includes(id)) ids.push(id);
    const held = attachmentsIn(reader, ids);
    const stars = usersWithStar(reader, ids, consenting);
    for (const row of messageRows(reader, ids)) {
      const fileIds = held.get(row.id) ?? [];
      for (const id of fileIds) found.fileIds.add(id);
      countTopic(found.topics, row, index.entry(reader, row.id)?.topic ?? 0);
      const text = line(messageObject(row, fileIds, stars.get(row.id) ?? []));
      part.push(text);
      size += text.length;
      found.count += 1;
      if (size >= PART_BYTES) yield finished();
    }
    advanced(Math.min(first + STEP - 1, last), last);
  }
  if (part.length > 0) yield finished();
  return found;
}

const messageObject = (row: MessageRow, fileIds: readonly number[], starredBy: readonly number[]) => ({
  id: row.id,
  sender_id: row.sender_id,
  sent_at: iso(row.sent_at),
  channel_id: row.channel_id,
  topic: row.channel_id === null ? null : row.topic,
  recipient_ids: row.conversation_key === null ? null : membersOf(row.conversation_key),
  content: row.content,
  html: row.rendered_content,
  edited_at: isoOrNull(row.last_edited_at),
  moved_at: isoOrNull(row.last_moved_at),
  reactions: row.reactions,
  starred_by: starredBy,
  file_ids: fileIds,
  widget:
    row.submessages.length === 0
      ? null
      : row.submessages.map(({ sender_id, content }) => ({ sender_id, content: JSON.parse(content) as unknown })),
});

/** The newest message has the current spelling of the topic. */
function countTopic(topics: Map<number, Topic>, { id, channel_id, topic }: MessageRow, topicId: number): void {
  if (channel_id === null) return;
  const existing = topics.get(topicId);
  topics.set(topicId, {
    channel_id,
    topic,
    is_resolved: topic.startsWith(RESOLVED),
    messages: (existing?.messages ?? 0) + 1,
    first_message_id: existing?.first_message_id ?? id,
    last_message_id: id,
  });
}

/** Uses ids as file names, because a name from a user could be a path out of the archive. */
const uploads = (reader: Reader, ids: ReadonlySet<number>, copies: Copies) =>
  [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => attachmentById(reader, id) ?? [])
    .map((attachment) => ({
      id: attachment.id,
      name: attachment.name,
      owner_id: attachment.user_id,
      uploaded_at: iso(attachment.created_at),
      content_type: attachment.content_type,
      bytes: attachment.size,
      url: `/user_uploads/${pathIdOf(attachment)}`,
      file: copies.add(`files/${attachment.id}${endingOf(attachment.name)}`, attachment.file),
    }));

const endingOf = (name: string): string => /\.[a-zA-Z0-9]{1,10}$/.exec(name)?.[0].toLowerCase() ?? "";
