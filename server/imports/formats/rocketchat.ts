import type { Readable } from "node:stream";
import { type Archive, openFileOf } from "../archive.ts";
import {
  type ExportReader,
  type FileSource,
  type ImportedChannel,
  type ImportedConversation,
  LeftOut,
} from "../model.ts";
import { type Directory, type Place, personId, type Room, readDirectory } from "./rocketchat/directory.ts";
import { Dump, databaseFolder } from "./rocketchat/dump.ts";
import { readMessages } from "./rocketchat/messages.ts";
import { firstText, timeOf, unique } from "./values.ts";

/** Whether this is a dump of a Rocket.Chat server's database, by `mongodump`. */
export const isRocketchat = (archive: Archive): boolean => databaseFolder(archive) !== undefined;

export function rocketchatReader(archive: Archive): ExportReader {
  const dump = new Dump(archive, databaseFolder(archive) ?? "");
  let loading: Promise<Directory> | undefined;
  /** Whether all messages were read: they name deleted people, visitors, and the names of integrations. */
  let isRead = false;
  const directory = (): Promise<Directory> => {
    loading ??= readDirectory(dump);
    return loading;
  };
  return {
    people: async function* () {
      const found = await directory();
      yield* found.people.values();
      for (const room of found.rooms.values()) creatorOf(found, room);
      if (!isRead) for await (const _ of readMessages(dump, found, new LeftOut()));
      isRead = true;
      yield* found.strangers.values();
    },
    channels: async function* () {
      yield* channelsIn(await directory());
    },
    conversations: async function* () {
      yield* conversationsIn(await directory());
    },
    emoji: async function* () {
      for (const [name, picture] of (await directory()).emoji) yield { name, picture };
    },
    messages: async function* (leftOut) {
      yield* readMessages(dump, await directory(), leftOut);
      isRead = true;
    },
    openFile: async (source) => openFile(archive, await directory(), source),
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
      createdAt: timeOf(fields.ts),
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

async function openFile(archive: Archive, { files }: Directory, source: FileSource): Promise<Readable> {
  if (source === "missing" || !("gridfs" in source)) return openFileOf(archive)(source);
  return files.open(source.gridfs.bucket, source.gridfs.id);
}
