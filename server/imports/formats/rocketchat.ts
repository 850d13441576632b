import { type Archive, openFileOf } from "../archive.ts";
import { type LoadedExport, lazyReader } from "../lazy-reader.ts";
import {
  type ExportReader,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedMessage,
  LeftOut,
} from "../model.ts";
import { asTime, firstText, unique } from "../values.ts";
import { type Directory, type Place, personId, type Room, readDirectory } from "./rocketchat/directory.ts";
import { Dump, databaseFolder } from "./rocketchat/dump.ts";
import { GridFs } from "./rocketchat/gridfs.ts";
import { readMessages } from "./rocketchat/messages.ts";

/** Whether this is a dump of a Rocket.Chat server's database, by `mongodump`. */
export const isRocketchat = (archive: Archive): boolean => databaseFolder(archive) !== undefined;

export function rocketchatReader(archive: Archive): ExportReader {
  const dump = new Dump(archive, databaseFolder(archive) ?? "");
  const files = new GridFs(dump);
  const openFile = openFileOf(archive);
  return lazyReader(
    archive,
    () => loadExport(dump, files),
    async (source) =>
      source !== "missing" && "gridfs" in source
        ? files.open(source.gridfs.bucket, source.gridfs.id)
        : openFile(source),
  );
}

async function loadExport(dump: Dump, files: GridFs): Promise<LoadedExport> {
  const directory = await readDirectory(dump, files);
  /** Whether all messages were read: they contain deleted users, visitors, and aliases of integrations. */
  let isRead = false;
  const messages = async function* (leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    yield* readMessages(dump, directory, leftOut);
    isRead = true;
  };
  return {
    people: async function* () {
      yield* directory.people.values();
      for (const room of directory.rooms.values()) creatorOf(directory, room);
      if (!isRead) for await (const _ of messages(new LeftOut()));
      yield* directory.strangers.all();
    },
    channels: () => channelsIn(directory),
    conversations: () => conversationsIn(directory),
    emoji: () => [...directory.emoji].map(([name, picture]) => ({ name, picture })),
    messages,
  };
}

const creatorOf = (directory: Directory, { fields }: Room): string | undefined => personId(directory, fields.u);

function* channelsIn(directory: Directory): Generator<ImportedChannel> {
  for (const room of directory.rooms.values()) {
    const { id, type, name, teamId, fields } = room;
    if (!isOwn(directory.places.get(id))) continue;
    yield {
      id,
      name,
      description: description(room),
      isPrivate: type !== "c",
      isArchived: fields.archived === true,
      isDefault: fields.default === true,
      isReadOnly: fields.ro === true || fields.broadcast === true,
      folder: teamId === undefined ? undefined : directory.teams.get(teamId),
      createdAt: asTime(fields.ts),
      creatorId: creatorOf(directory, room),
      memberIds: directory.members.get(id) ?? [],
    };
  }
}

/** Whether the room is a channel, and not a topic of another room. */
const isOwn = (place: Place | undefined): boolean =>
  place !== undefined && place !== "visitors" && "channel" in place && place.topic === undefined;

/** Rocket.Chat shows three texts at the top of a room. */
const description = ({ fields }: Room): string =>
  unique([fields.description, fields.topic, fields.announcement].map((text) => firstText(text)))
    .filter((text) => text !== undefined)
    .join("\n\n");

function* conversationsIn({ places }: Directory): Generator<ImportedConversation> {
  for (const place of places.values())
    if (place !== "visitors" && "conversation" in place && place.people.length > 0)
      yield { id: place.conversation, memberIds: place.people };
}
