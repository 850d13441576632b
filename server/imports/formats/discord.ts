import type { Archive } from "../archive.ts";
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
import { asObject, asText, fieldOf } from "../records.ts";
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

/** Other JSON files, such as pictures of stickers, can be between those of channels. */
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

class DiscordExport implements ExportReader {
  readonly archive: Archive;
  #contents: Promise<Contents> | undefined;

  constructor(archive: Archive) {
    this.archive = archive;
  }

  async *people(): AsyncGenerator<ImportedPerson> {
    const { survey, sources } = await this.#read();
    yield* survey.people.values();
    for (const source of sources.values()) {
      const silent = silentPerson(source, survey);
      if (silent) yield silent;
    }
  }

  async *channels(): AsyncGenerator<ImportedChannel> {
    const { sources, places, survey } = await this.#read();
    const guilds = new Set([...sources.values()].filter((source) => !isDirect(source)).map(({ guildId }) => guildId));
    const done = new Set<string>();
    for (const source of sources.values()) {
      const { id, topic } = places.get(source.id) as Place;
      if (isDirect(source) || done.has(id) || (topic !== undefined && sources.has(id))) continue;
      done.add(id);
      yield channelOf(source, id, { survey, sources, hasGuilds: guilds.size > 1 });
    }
  }

  async *conversations(): AsyncGenerator<ImportedConversation> {
    const { sources, survey } = await this.#read();
    for (const source of sources.values()) {
      if (!isDirect(source)) continue;
      const others = [partnerOf(source, survey) ?? silentPerson(source, survey)?.id].filter((id) => id !== undefined);
      yield { id: source.id, memberIds: [...new Set([...(survey.members.get(source.id) ?? []), ...others])] };
    }
  }

  async *emoji(): AsyncGenerator<ImportedEmoji> {
    yield* (await this.#read()).survey.emoji.values();
  }

  async *messages(leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    const contents = await this.#read();
    for (const source of contents.sources.values()) {
      const reader = new MessageReader(this.archive, source, contents, leftOut);
      for (const file of source.files) {
        for await (const record of readElements(this.archive, file, ["messages"])) {
          const message = reader.read(record, file);
          if (message) yield message;
        }
      }
    }
  }

  #read(): Promise<Contents> {
    this.#contents ??= this.#readAll();
    return this.#contents;
  }

  async #readAll(): Promise<Contents> {
    const sources = await readSources(this.archive);
    const places = placesOf(sources);
    const survey = new Survey(this.archive);
    for (const source of sources.values()) {
      const placeId = (places.get(source.id) as Place).id;
      const ranges: Range[] = [];
      for (const file of source.files) {
        const range = new Range();
        for await (const record of readElements(this.archive, file, ["messages"])) {
          const message = asObject(record);
          if (!message) continue;
          survey.add(message, placeId, file);
          range.add(asText(fieldOf(message, "id")) ?? "");
        }
        if (ranges.some((other) => other.mayOverlap(range))) survey.overlapping.add(source.id);
        ranges.push(range);
      }
    }
    return { sources, places, survey };
  }
}

/** The other person of a conversation in which only one wrote. The conversation has the person's name. */
function partnerOf(source: Source, survey: Survey): string | undefined {
  const members = survey.members.get(source.id) ?? new Set();
  if (!/^(?:DirectTextChat|1)$/.test(source.type) || members.size > 1) return undefined;
  const isNamed = ({ name, username }: ImportedPerson): boolean => name === source.name || username === source.name;
  return [...survey.people.values()].find(isNamed)?.id;
}

/** The same, if the person is nowhere else in the export. */
function silentPerson(source: Source, survey: Survey): ImportedPerson | undefined {
  const members = survey.members.get(source.id);
  if (!isDirect(source) || !/^(?:DirectTextChat|1)$/.test(source.type) || (members?.size ?? 0) > 1) return undefined;
  if (partnerOf(source, survey) !== undefined) return undefined;
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
    description: isMissingParent ? "" : source.description,
    isPrivate: isPrivateThread(source),
    isArchived: false,
    isDefault: false,
    isReadOnly: !isMissingParent && isNews(source),
    folder: folder === "" ? undefined : folder,
    createdAt: timeOfId(id),
    memberIds: [...(survey.members.get(id) ?? [])],
  };
}

export const discordReader = (archive: Archive): ExportReader => new DiscordExport(archive);
