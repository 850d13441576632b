import type { Archive } from "../archive.ts";
import { readFirstFields } from "../parts.ts";
import { MAX_TOPIC_LENGTH, shortened } from "../topics.ts";
import { asText, fieldsOf, firstText } from "../values.ts";

/* The channels and threads of a Discord export, and the people in its messages. */

export interface Source {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly guildId: string;
  readonly guildName: string;
  /** The parent channel of a thread. */
  readonly categoryId: string | undefined;
  readonly category: string | undefined;
  /** Sorted by part number. */
  readonly files: string[];
}

/** The channel or conversation of a source, and the topic in it. */
export interface Place {
  readonly id: string;
  readonly topic?: string;
}

export const jsonFiles = (archive: Archive): string[] =>
  [...archive.files.keys()].filter((name) => /\.json$/i.test(name) && !/_Files\//.test(name)).sort();

export async function readHeader(archive: Archive, name: string): Promise<Omit<Source, "files"> | undefined> {
  const fields = await readFirstFields(archive, name, ["guild", "channel"]);
  const [guild, channel] = [fieldsOf(fields.get("guild")), fieldsOf(fields.get("channel"))];
  const [id, type] = [firstText(channel.id), firstText(channel.type)];
  if (!fields.has("guild") || id === undefined || type === undefined) return undefined;
  return {
    id,
    type,
    name: firstText(channel.name) ?? id,
    description: asText(channel.topic),
    guildId: firstText(guild.id) ?? "0",
    guildName: asText(guild.name),
    categoryId: firstText(channel.categoryId),
    category: firstText(channel.category),
  };
}

export const isDirect = ({ type, guildId }: Source): boolean => guildId === "0" || /^(?:Direct|[13]$)/.test(type);
export const isThread = ({ type }: Source): boolean => /^(?:Guild\w*Thread|1[012])$/.test(type);
export const isPrivateThread = ({ type }: Source): boolean => /^(?:GuildPrivateThread|12)$/.test(type);
export const isNews = ({ type }: Source): boolean => /^(?:GuildNews|5)$/.test(type);

const partOf = (file: string): number => Number(/\[part (\d{1,9})\]\.json$/i.exec(file)?.[1] ?? 1);

export async function readSources(archive: Archive): Promise<Map<string, Source>> {
  const sources = new Map<string, Source>();
  for (const name of jsonFiles(archive)) {
    const header = await readHeader(archive, name);
    if (!header) continue;
    const source = sources.get(header.id);
    if (source) source.files.push(name);
    else sources.set(header.id, { ...header, files: [name] });
  }
  for (const { files } of sources.values()) files.sort((a, b) => partOf(a) - partOf(b) || (a < b ? -1 : 1));
  return sources;
}

/**
 * A public thread is a topic of its parent channel, even if the parent is not in the export. A private thread is a
 * channel: as a topic, everyone who sees its parent could read it.
 */
export function placesOf(sources: ReadonlyMap<string, Source>): Map<string, Place> {
  const places = new Map<string, Place>();
  const topics = new Set<string>();
  for (const source of sources.values()) {
    const parentId = isThread(source) && !isPrivateThread(source) ? source.categoryId : undefined;
    if (parentId === undefined) {
      places.set(source.id, { id: source.id });
      continue;
    }
    let topic = shortened(source.name);
    for (let number = 2; topics.has(`${parentId}/${topic.toLowerCase()}`); number++)
      topic = `${shortened(source.name, MAX_TOPIC_LENGTH - 7)} (${number})`;
    topics.add(`${parentId}/${topic.toLowerCase()}`);
    places.set(source.id, { id: parentId, topic });
  }
  return places;
}

/** Start of the times in Discord's IDs. */
const DISCORD_EPOCH = 1_420_070_400_000;

/** The time in an ID. */
export function timeOfId(id: string): number | undefined {
  if (!/^\d{15,20}$/.test(id)) return undefined;
  return Number(BigInt(id) >> 22n) + DISCORD_EPOCH;
}

/** A webhook can change its name for each message, so each name is a person. */
export function personIdOf(user: unknown): string | undefined {
  const { id: given, isBot, discriminator } = fieldsOf(user);
  const id = firstText(given);
  const isWebhook = isBot === true && discriminator === "0000";
  return id !== undefined && isWebhook ? `${id}/${nameOf(user)}` : id;
}

export const nameOf = (user: unknown): string =>
  firstText(fieldsOf(user).nickname, fieldsOf(user).name) ?? "Unknown person";
