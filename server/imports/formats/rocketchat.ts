import { type Archive, openFileOf } from "../archive.ts";
import { type LoadedExport, lazyReader } from "../lazy-reader.ts";
import {
  type ExportReader,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedPerson,
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
  return {
    people: () => peopleIn(dump, directory),
    channels: () => channelsIn(directory),
    conversations: () => conversationsIn(directory),
    emoji: () => [...directory.emoji].map(([name, picture]) => ({ name, picture })),
    messages: (leftOut) => readMessages(dump, directory, leftOut),
  };
}

/** Messages also contain people who are not users: deleted users, visitors, and aliases of integrations. */
async function* peopleIn(dump: Dump, directory: Directory): AsyncGenerator<ImportedPerson> {
  yield* directory.people.values();
  for (const room of directory.rooms.values()) creatorOf(directory, room);
  for await (const _ of readMessages(dump, directory, new LeftOut())); // records the strangers
  yield* directory.strangers.all();
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
