import type { Archive } from "../archive.ts";
import { toText } from "../document.ts";
import { type LoadedExport, lazyReader } from "../lazy-reader.ts";
import type {
  ExportReader,
  ImportedChannel,
  ImportedConversation,
  ImportedEmoji,
  ImportedMessage,
  ImportedPerson,
  LeftOut,
} from "../model.ts";
import { readElements } from "../parts.ts";
import { asFields, asText } from "../values.ts";
import { discordBlocks, NO_NAMES } from "./discord-markup.ts";
import { type Contents, MessageReader } from "./discord-messages.ts";
import {
  isDirect,
  isNews,
  isPrivateThread,
  isThread,
  jsonFiles,
  type Place,
  placesOf,
  readHeader,
  readSources,
  type Source,
  timeOfId,
} from "./discord-sources.ts";
import { Survey } from "./discord-survey.ts";

/*
 * Reads exports of DiscordChatExporter: JSON files with a channel or thread each. They have no list of people, channels
 * or permissions, so this reads all messages for them first.
 */

/** Other JSON files, such as stickers, can precede the files of channels. */
const MAX_PROBED_FILES = 200;

export async function isDiscord(archive: Archive): Promise<boolean> {
  for (const name of jsonFiles(archive).slice(0, MAX_PROBED_FILES)) if (await readHeader(archive, name)) return true;
  return false;
}

/** First and last ID of a file. Undefined if an ID is not a number. */
class Range {
  #first: bigint | undefined;
  #last: bigint | undefined;
  #isUnknown = false;

  add(id: string): void {
    if (!/^\d{1,20}$/.test(id)) this.#isUnknown = true;
    if (this.#isUnknown) return;
    const number = BigInt(id);
    if (this.#first === undefined || number < this.#first) this.#first = number;
    if (this.#last === undefined || number > this.#last) this.#last = number;
  }

  mayOverlap(other: Range): boolean {
    if (this.#isUnknown || other.#isUnknown) return true;
    if (this.#first === undefined || other.#first === undefined) return false;
    return this.#first <= (other.#last as bigint) && other.#first <= (this.#last as bigint);
  }
}

class DiscordExport implements LoadedExport {
  readonly archive: Archive;
  readonly contents: Contents;

  constructor(archive: Archive, contents: Contents) {
    this.archive = archive;
    this.contents = contents;
  }

  *people(): Generator<ImportedPerson> {
    const { survey, sources } = this.contents;
    yield* survey.people.values();
    for (const source of sources.values()) {
      const partner = unknownPartner(source, survey);
      if (partner) yield partner;
    }
  }

  *channels(): Generator<ImportedChannel> {
    const { sources, places, survey } = this.contents;
    const guilds = new Set([...sources.values()].filter((source) => !isDirect(source)).map(({ guildId }) => guildId));
    const done = new Set<string>();
    for (const source of sources.values()) {
      const { id, topic } = places.get(source.id) as Place;
      if (isDirect(source) || done.has(id) || (topic !== undefined && sources.has(id))) continue;
      done.add(id);
      yield channelOf(source, id, { survey, sources, hasGuilds: guilds.size > 1 });
    }
  }

  *conversations(): Generator<ImportedConversation> {
    const { sources, survey } = this.contents;
    for (const source of sources.values()) {
      if (!isDirect(source)) continue;
      const partner = unknownPartner(source, survey);
      const silent = partner ? [partner.id] : silentPeople(source, survey);
      yield { id: source.id, memberIds: [...new Set([...(survey.members.get(source.id) ?? []), ...silent])] };
    }
  }

  emoji(): Iterable<ImportedEmoji> {
    return this.contents.survey.emoji.values();
  }

  async *messages(leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    for (const source of this.contents.sources.values()) {
      const reader = new MessageReader(this.archive, source, this.contents, leftOut);
      for (const file of source.files) {
        for await (const record of readElements(this.archive, file, ["messages"])) {
          const message = reader.read(record, file);
          if (message) yield message;
        }
      }
    }
  }
}

async function readContents(archive: Archive): Promise<Contents> {
  const sources = await readSources(archive);
  const places = placesOf(sources);
  const survey = new Survey(archive);
  for (const source of sources.values()) {
    const placeId = (places.get(source.id) as Place).id;
    const ranges: Range[] = [];
    for (const file of source.files) {
      const range = new Range();
      for await (const record of readElements(archive, file, ["messages"])) {
        const message = asFields(record);
        if (!message) continue;
        survey.add(message, placeId, file);
        range.add(asText(message.id));
      }
      if (ranges.some((other) => other.mayOverlap(range))) survey.overlapping.add(source.id);
      ranges.push(range);
    }
  }
  return { sources, places, survey };
}

const isPair = ({ type }: Source): boolean => /^(?:DirectTextChat|1)$/.test(type);

/**
 * People without a message in a conversation. Its name has their names. If several people have a name, nobody is added:
 * the others must not read the conversation.
 */
function silentPeople(source: Source, survey: Survey): string[] {
  const members = survey.members.get(source.id) ?? new Set();
  if (isPair(source) && members.size > 1) return [];
  const names = isPair(source) ? [source.name] : source.name.split(", ");
  return names.flatMap((wanted) => {
    const people = [...survey.people.values()].filter(({ name, username }) => name === wanted || username === wanted);
    const writing = people.filter(({ id }) => members.has(id));
    const found = writing.length > 0 ? writing : people.length === 1 ? people : [];
    return found.map(({ id }) => id);
  });
}

/** The other person of a conversation, if no message contains the person. */
function unknownPartner(source: Source, survey: Survey): ImportedPerson | undefined {
  const count = survey.members.get(source.id)?.size ?? 0;
  if (!isDirect(source) || !isPair(source) || count > 1 || silentPeople(source, survey).length > 0) return undefined;
  return { id: `partner-${source.id}`, name: source.name, role: "member", isBot: false, isActive: true };
}

interface Surroundings {
  readonly survey: Survey;
  readonly sources: ReadonlyMap<string, Source>;
  /** Whether there are several guilds. */
  readonly hasGuilds: boolean;
}

/** A channel, or the parent of a thread if its own file is not in the export. */
function channelOf(source: Source, id: string, { survey, sources, hasGuilds }: Surroundings): ImportedChannel {
  const isMissingParent = id !== source.id;
  const parent = isThread(source) ? sources.get(source.categoryId ?? "") : source;
  const category = isMissingParent ? undefined : parent?.category;
  const parts = hasGuilds ? [source.guildName, category] : [category];
  const folder = parts.filter((part) => part !== undefined && part !== "").join(": ");
  return {
    id,
    name: isMissingParent ? (source.category ?? id) : source.name,
    description: isMissingParent ? "" : toText(discordBlocks(source.description, NO_NAMES)).join(""),
    isPrivate: isPrivateThread(source),
    isArchived: false,
    isDefault: false,
    isReadOnly: !isMissingParent && isNews(source),
    folder: folder === "" ? undefined : folder,
    createdAt: timeOfId(id),
    memberIds: [...(survey.members.get(id) ?? [])],
  };
}

export const discordReader = (archive: Archive): ExportReader =>
  lazyReader(archive, async () => new DiscordExport(archive, await readContents(archive)));
