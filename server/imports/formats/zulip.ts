import type { Archive } from "../archive.ts";
import { type LoadedExport, lazyReader } from "../lazy-reader.ts";
import {
  type ExportReader,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedFile,
  type ImportedMessage,
  LeftOut,
} from "../model.ts";
import {
  addTo,
  asCount,
  asFields,
  asList,
  asText,
  type Fields,
  fieldsIn,
  fieldsOf,
  secondsToTime,
  unique,
} from "../values.ts";
import { archiveFolder, type Channel, type Directory, memberKey, readDirectory, rowsOf } from "./zulip/directory.ts";
import { type Names, parseText } from "./zulip/text.ts";

/** Whether this is an archive that a Zulip server exported, of version 10 or later. */
export const isZulip = (archive: Archive): boolean => archiveFolder(archive) !== undefined;

export const zulipReader = (archive: Archive): ExportReader => lazyReader(archive, () => loadExport(archive));

async function loadExport(archive: Archive): Promise<LoadedExport> {
  const folder = archiveFolder(archive) ?? "";
  const directory = await readDirectory(archive, folder);
  let starring: Promise<Stars> | undefined;
  /** Whether all messages were read. */
  let isRead = false;
  const messages = async function* (leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    starring ??= readStars(archive, folder);
    yield* readMessages(archive, folder, { directory, stars: await starring, leftOut });
    isRead = true;
  };
  return {
    people: async function* () {
      yield* directory.people.values();
      // Reading the rest records the strangers.
      for (const _ of channelsIn(directory));
      for (const _ of groupsIn(directory));
      if (!isRead) for await (const _ of messages(new LeftOut()));
      yield* directory.strangers.all();
    },
    channels: () => channelsIn(directory),
    conversations: () => conversationsIn(archive, folder, directory),
    emoji: () => directory.emoji,
    messages,
  };
}

function* channelsIn(directory: Directory): Generator<ImportedChannel> {
  const recipients = new Map(
    [...directory.recipients].map(([id, { type, id: of }]) => [type === 2 ? of : Number.NaN, id]),
  );
  for (const channel of directory.channels.values()) {
    const { id, name, fields } = channel;
    const [creator, folder] = [asCount(fields.creator), asCount(fields.folder)];
    const members = directory.members.get(recipients.get(id) ?? Number.NaN) ?? [];
    yield {
      id: String(id),
      name,
      description: asText(fields.description),
      isPrivate: fields.invite_only === true,
      isArchived: fields.deactivated === true,
      isDefault: directory.defaultChannels.has(id),
      isReadOnly: isReadOnly(directory, channel),
      folder: folder === undefined ? undefined : directory.folders.get(folder),
      createdAt: secondsToTime(fields.date_created),
      creatorId: creator === undefined ? undefined : personId(directory, creator),
      memberIds: unique(members).map((member) => personId(directory, member)),
    };
  }
}

/** System groups of all members, or all members who are no longer new. */
export const OPEN_GROUPS: ReadonlySet<string> = new Set([
  "role:internet",
  "role:everyone",
  "role:members",
  "role:fullmembers",
]);

/** Other export tools write a number instead of a group: only administrators (2) or moderators (4) can send. */
function isReadOnly({ groups, subgroups }: Directory, { fields }: Channel): boolean {
  const group = asCount(fields.can_send_message_group);
  if (group === undefined) return fields.stream_post_policy === 2 || fields.stream_post_policy === 4;
  return ![group, ...(subgroups.get(group) ?? [])].some((id) => OPEN_GROUPS.has(groups.get(id) ?? ""));
}

/** Conversations of two people can be a group or not, depending on the version of the server that started them. */
const directPlace = (people: readonly number[]): string => `direct:${memberKey(people)}`;

function* groupsIn(directory: Directory): Generator<ImportedConversation> {
  for (const members of directory.groupsOfPeople.values())
    yield { id: directPlace(members), memberIds: members.map((member) => personId(directory, member)) };
}

/** Conversations of two people are not in a list, so this reads their messages. */
async function* conversationsIn(
  archive: Archive,
  folder: string,
  directory: Directory,
): AsyncGenerator<ImportedConversation> {
  yield* groupsIn(directory);
  const seen = new Set([...directory.groupsOfPeople.values()].map(directPlace));
  for await (const rows of batches(archive, folder, "zerver_message"))
    for (const row of fieldsIn(rows)) {
      const recipient = directory.recipients.get(asCount(row.recipient) ?? Number.NaN);
      const sender = asCount(row.sender);
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
    for (const { user_profile, message, flags_mask } of fieldsIn(rows)) {
      const [person, of] = [asCount(user_profile), asCount(message)];
      if (person !== undefined && of !== undefined && (asCount(flags_mask) ?? 0) & STARRED) addTo(stars, of, person);
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
      const fields = asFields(row);
      const message = fields && messageOf(archive, fields, reading);
      if (message) yield message;
      else leftOut.add("unreadable records");
    }
  leftOut.add("unreadable records", directory.unreadable);
}

function messageOf(archive: Archive, row: Fields, { directory, stars, leftOut }: Reading): ImportedMessage | undefined {
  const [id, sender, sentAt] = [asCount(row.id), asCount(row.sender), secondsToTime(row.date_sent)];
  if (id === undefined || sender === undefined || sentAt === undefined) return undefined;
  const place = placeOf(directory, asCount(row.recipient), sender);
  if (place === undefined) return undefined;
  const files = new Map<string, ImportedFile>();
  const text = parseText(asText(row.content), namesOf(archive, { directory, files, sender }));
  countVersions(row.edit_history, leftOut);
  return {
    id: String(id),
    place: place.id,
    topic: place.isChannel ? asText(row.subject) : undefined,
    senderId: personId(directory, sender),
    sentAt,
    editedAt: secondsToTime(row.last_edit_time),
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
  const members = recipient.type === 3 ? directory.members.get(recipientId) : undefined;
  return members && { id: directPlace(members), isChannel: false };
}

/** Records people that the archive does not list. */
const personId = ({ strangers }: Directory, id: number): string => strangers.meet(String(id));

/** The edit history is JSON in a text: versions of the text, and moves to other topics. */
function countVersions(history: unknown, leftOut: LeftOut): void {
  const written = asText(history);
  if (!written.includes("prev_content")) return;
  try {
    const versions = asList(JSON.parse(written)).filter((version) => fieldsOf(version).prev_content !== undefined);
    leftOut.add("earlier versions", versions.length);
  } catch {
    leftOut.add("unreadable records");
  }
}

function namesOf(
  archive: Archive,
  { directory, files, sender }: { directory: Directory; files: Map<string, ImportedFile>; sender: number },
): Names {
  const { people, channels, channelsByName, groupsOfPeople } = directory;
  return {
    person: directory.personNamed,
    personName: (id) => people.get(Number(id))?.name,
    channel: (name) => {
      const channel = channelsByName.get(name.toLowerCase());
      return channel && String(channel.id);
    },
    channelName: (id) => channels.get(Number(id))?.name,
    conversation: (listed) => {
      if (listed.some((id) => !people.has(id))) return undefined;
      const everyone = [...listed, sender];
      const isKnown = (members: readonly number[]) =>
        unique(members).length <= 2 || groupsOfPeople.has(memberKey(members));
      const found = isKnown(everyone) ? everyone : isKnown(listed) ? listed : undefined;
      return found && directPlace(found);
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
