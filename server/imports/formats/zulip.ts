import { type Archive, openFileOf } from "../archive.ts";
import {
  type ExportReader,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedFile,
  type ImportedMessage,
  LeftOut,
} from "../model.ts";
import { addTo, type Fields, fieldsOf, isFields, listOf, numberOf, textOf, unique } from "./values.ts";
import {
  archiveFolder,
  type Channel,
  type Directory,
  memberKey,
  readDirectory,
  rowsOf,
  seconds,
} from "./zulip/directory.ts";
import { type Names, parseText } from "./zulip/text.ts";

/** Whether this is an archive that a Zulip server exported, of version 10 or later. */
export const isZulip = (archive: Archive): boolean => archiveFolder(archive) !== undefined;

export function zulipReader(archive: Archive): ExportReader {
  const folder = archiveFolder(archive) ?? "";
  let loading: Promise<Directory> | undefined;
  let starring: Promise<Stars> | undefined;
  /** Whether all messages were read, which notes the strangers. */
  let isRead = false;
  const directory = (): Promise<Directory> => {
    loading ??= readDirectory(archive, folder);
    return loading;
  };
  const messages = async function* (leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    starring ??= readStars(archive, folder);
    yield* readMessages(archive, folder, { directory: await directory(), stars: await starring, leftOut });
    isRead = true;
  };
  return {
    people: async function* () {
      const found = await directory();
      yield* found.people.values();
      // These note the strangers.
      for (const _ of channelsIn(found));
      for (const _ of groupsIn(found));
      if (!isRead) for await (const _ of messages(new LeftOut()));
      yield* found.strangers.values();
    },
    channels: async function* () {
      yield* channelsIn(await directory());
    },
    conversations: async function* () {
      yield* conversationsIn(archive, folder, await directory());
    },
    emoji: async function* () {
      yield* (await directory()).emoji;
    },
    messages,
    openFile: openFileOf(archive),
  };
}

function* channelsIn(directory: Directory): Generator<ImportedChannel> {
  const recipients = new Map(
    [...directory.recipients].map(([id, { type, id: of }]) => [type === 2 ? of : Number.NaN, id]),
  );
  for (const channel of directory.channels.values()) {
    const { id, name, fields } = channel;
    const [creator, folder] = [numberOf(fields.creator), numberOf(fields.folder)];
    const members = directory.members.get(recipients.get(id) ?? Number.NaN) ?? [];
    yield {
      id: String(id),
      name,
      description: textOf(fields.description),
      isPrivate: fields.invite_only === true,
      isArchived: fields.deactivated === true,
      isDefault: directory.defaultChannels.has(id),
      isReadOnly: isReadOnly(directory, channel),
      folder: folder === undefined ? undefined : directory.folders.get(folder),
      createdAt: seconds(fields.date_created),
      creatorId: creator === undefined ? undefined : personId(directory, creator),
      memberIds: unique(members).map((member) => personId(directory, member)),
    };
  }
}

const OPEN_GROUPS = new Set(["role:internet", "role:everyone", "role:members", "role:fullmembers"]);

/** Archives of other programs have codes: 2 stands for administrators, 4 for moderators. */
function isReadOnly({ groups }: Directory, { fields }: Channel): boolean {
  const group = numberOf(fields.can_send_message_group);
  if (group === undefined) return fields.stream_post_policy === 2 || fields.stream_post_policy === 4;
  return !OPEN_GROUPS.has(groups.get(group) ?? "");
}

const groupPlace = (recipient: number): string => `group:${recipient}`;
const directPlace = (people: readonly number[]): string => `direct:${memberKey(people)}`;

function* groupsIn(directory: Directory): Generator<ImportedConversation> {
  for (const [recipient, { type }] of directory.recipients) {
    const members = unique(directory.members.get(recipient) ?? []);
    if (type === 3 && members.length > 0)
      yield { id: groupPlace(recipient), memberIds: members.map((member) => personId(directory, member)) };
  }
}

/** Conversations of two people are not in a list, so this reads their messages. */
async function* conversationsIn(
  archive: Archive,
  folder: string,
  directory: Directory,
): AsyncGenerator<ImportedConversation> {
  yield* groupsIn(directory);
  const seen = new Set<string>();
  for await (const rows of batches(archive, folder, "zerver_message"))
    for (const row of rows.map(fieldsOf)) {
      const recipient = directory.recipients.get(numberOf(row.recipient) ?? Number.NaN);
      const sender = numberOf(row.sender);
      if (recipient?.type !== 1 || sender === undefined) continue;
      const people = unique([sender, recipient.id]);
      const id = directPlace(people);
      if (seen.has(id)) continue;
      seen.add(id);
      yield { id, memberIds: people.map((person) => personId(directory, person)) };
    }
}

/** Rows of a table of the message files, in order and in batches. */
async function* batches(archive: Archive, folder: string, table: string): AsyncGenerator<readonly unknown[]> {
  const files = [...archive.files.keys()].filter(
    (name) => name.startsWith(folder) && /^messages-\d+\.json$/.test(name.slice(folder.length)),
  );
  for (const name of files.sort()) for await (const { rows } of rowsOf(archive, name, [table])) yield rows;
}

/** People who starred a message, by message. */
type Stars = ReadonlyMap<number, readonly number[]>;
const STARRED = 2;

async function readStars(archive: Archive, folder: string): Promise<Stars> {
  const stars = new Map<number, number[]>();
  for await (const rows of batches(archive, folder, "zerver_usermessage"))
    for (const { user_profile, message, flags_mask } of rows.map(fieldsOf)) {
      const [person, of] = [numberOf(user_profile), numberOf(message)];
      if (person !== undefined && of !== undefined && (numberOf(flags_mask) ?? 0) & STARRED) addTo(stars, of, person);
    }
  return stars;
}

interface Reading {
  readonly directory: Directory;
  readonly stars: Stars;
  readonly leftOut: LeftOut;
}

async function* readMessages(archive: Archive, folder: string, reading: Reading): AsyncGenerator<ImportedMessage> {
  const { directory, leftOut } = reading;
  for await (const rows of batches(archive, folder, "zerver_message"))
    for (const row of rows) {
      const message = isFields(row) ? messageOf(archive, row, reading) : undefined;
      if (message) yield message;
      else leftOut.add("unreadable records");
    }
  if (directory.unreadable > 0) leftOut.add("unreadable records", directory.unreadable);
}

function messageOf(archive: Archive, row: Fields, { directory, stars, leftOut }: Reading): ImportedMessage | undefined {
  const [id, sender, sentAt] = [numberOf(row.id), numberOf(row.sender), seconds(row.date_sent)];
  if (id === undefined || sender === undefined || sentAt === undefined) return undefined;
  const place = placeOf(directory, numberOf(row.recipient), sender);
  if (place === undefined) return undefined;
  const files = new Map<string, ImportedFile>();
  const text = parseText(textOf(row.content), namesOf(archive, { directory, files, sender }));
  countVersions(row.edit_history, leftOut);
  return {
    id: String(id),
    place: place.id,
    topic: place.isChannel ? textOf(row.subject) : undefined,
    senderId: personId(directory, sender),
    sentAt,
    editedAt: seconds(row.last_edit_time),
    text,
    files: [...files.values()],
    reactions: directory.reactions.of(id, leftOut, (person) => personId(directory, person)),
    starredBy: unique(stars.get(id) ?? []).map((person) => personId(directory, person)),
  };
}

function placeOf(
  directory: Directory,
  recipientId: number | undefined,
  sender: number,
): { id: string; isChannel: boolean } | undefined {
  const recipient = directory.recipients.get(recipientId ?? Number.NaN);
  if (recipientId === undefined || !recipient) return undefined;
  if (recipient.type === 1) {
    personId(directory, recipient.id);
    return { id: directPlace([sender, recipient.id]), isChannel: false };
  }
  if (recipient.type === 2) {
    return directory.channels.has(recipient.id) ? { id: String(recipient.id), isChannel: true } : undefined;
  }
  return recipient.type === 3 && directory.members.has(recipientId)
    ? { id: groupPlace(recipientId), isChannel: false }
    : undefined;
}

/** Notes people that the archive does not list. */
function personId({ people, strangers }: Directory, id: number): string {
  if (!people.has(id) && !strangers.has(id))
    strangers.set(id, { id: String(id), name: "Unknown", role: "member", isBot: false, isActive: false });
  return String(id);
}

/** The edit history is JSON in a text: versions of the text, and moves to other topics. */
function countVersions(history: unknown, leftOut: LeftOut): void {
  const written = textOf(history);
  if (!written.includes("prev_content")) return;
  try {
    const versions = listOf(JSON.parse(written)).filter((version) => fieldsOf(version).prev_content !== undefined);
    if (versions.length > 0) leftOut.add("earlier versions", versions.length);
  } catch {
    leftOut.add("unreadable records");
  }
}

function namesOf(
  archive: Archive,
  { directory, files, sender }: { directory: Directory; files: Map<string, ImportedFile>; sender: number },
): Names {
  const { people, idsByName, channels, channelsByName, groupsByMembers } = directory;
  return {
    person: (written) => {
      const [, name = "", written_id] = /^(.*)\|(\d{1,15})$/.exec(written) ?? [];
      const person = written_id === undefined ? undefined : people.get(Number(written_id));
      if (person && (name === "" || name === person.name)) return person.id;
      const id = idsByName.get(written) ?? (person ? Number(person.id) : idsByName.get(name));
      return id === undefined ? undefined : String(id);
    },
    channel: (name) => {
      const channel = channelsByName.get(name.toLowerCase());
      return channel && String(channel.id);
    },
    channelName: (id) => channels.get(Number(id))?.name,
    conversation: (listed) => {
      if (listed.some((id) => !people.has(id))) return undefined;
      const everyone = [...listed, sender];
      const group = groupsByMembers.get(memberKey(listed)) ?? groupsByMembers.get(memberKey(everyone));
      if (group !== undefined) return groupPlace(group);
      return unique(everyone).length <= 2 ? directPlace(everyone) : undefined;
    },
    file: (path) => {
      const file = fileOf(archive, directory, path);
      if (file) files.set(path, file);
      return file?.id;
    },
  };
}

function fileOf(archive: Archive, { uploads }: Directory, id: string): ImportedFile | undefined {
  const [path, known] = [uploads.sources.get(id), uploads.names.get(id)];
  if (path === undefined && known === undefined) return undefined;
  return {
    id,
    name: known?.name ?? (id.split("/").at(-1) as string),
    size: known?.size ?? archive.files.get(path ?? ""),
    source: path === undefined ? "missing" : { path },
  };
}
