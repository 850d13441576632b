import { problem } from "../../errors.ts";
import { type Archive, NotAnExport } from "../archive.ts";
import type { ImportedPerson, Role } from "../model.ts";
import { readLines } from "../parts.ts";
import { asFields, asText, type Fields, fieldsIn, firstText, parsedJson, textsIn, unique } from "../values.ts";

/* The lines of a Mattermost export, and everything except its messages. */

const MAX_CANDIDATES = 20;

/** The file that has a version in its first line. */
export async function exportFile(archive: Archive): Promise<{ name: string; version: unknown } | undefined> {
  const all = [...archive.files.keys()];
  const depth = (name: string) => name.split("/").length;
  const candidates = all
    .filter((name) => all.length === 1 || (/\.jsonl?$/i.test(name) && depth(name) <= 3))
    .sort((a, b) => Number(b.endsWith("l")) - Number(a.endsWith("l")) || depth(a) - depth(b));
  for (const name of candidates.slice(0, MAX_CANDIDATES)) {
    const first = asFields(parsedJson(await firstLine(archive, name)));
    if (first?.type === "version") return { name, version: first.version };
  }
  return undefined;
}

/** First lines of exports are shorter. */
const MAX_FIRST_LINE = 64 * 1024;

async function firstLine(archive: Archive, name: string): Promise<string> {
  let text = "";
  for await (const piece of await archive.open(name)) {
    text += (piece as Buffer).toString("utf8");
    if (text.includes("\n") || text.length > MAX_FIRST_LINE) break;
  }
  return (text.split("\n", 1)[0] as string).replace(/^\ufeff/, "");
}

interface Line {
  number: number;
  kind: string;
  /** Undefined if the line is not readable. */
  fields: Fields | undefined;
}

const KIND = /^\s*\{\s*"type"\s*:\s*"(\w{1,40})"/;

/** Lines of these kinds, and unreadable lines. Does not parse other lines. */
export async function* linesOf(archive: Archive, file: string, kinds: ReadonlySet<string>): AsyncGenerator<Line> {
  let number = 0;
  for await (const line of readLines(archive, file)) {
    number++;
    const start = KIND.exec(line)?.[1];
    if (line.trim() === "" || (start !== undefined && !kinds.has(start))) continue;
    const record = asFields(parsedJson(line.replace(/^\ufeff/, "")));
    const kind = start ?? asText(record?.type);
    if (kind !== "" && !kinds.has(kind)) continue;
    yield { number, kind, fields: record && Object.hasOwn(record, kind) ? asFields(record[kind]) : undefined };
  }
}

export interface Channel {
  team: string;
  name: string;
  /** Undefined for a channel that only messages refer to. */
  fields?: Fields;
  memberIds: Set<string>;
}

/** Names of people and places are case-insensitive. */
export const idOf = (name: unknown): string => asText(name).toLowerCase();
export const channelId = (team: string, name: string): string => `${team}/${name}`;

/** In Mattermost, a time of 0 means never. */
export const isSet = (time: unknown): boolean => Number(asText(time)) > 0;

const INDEXED = new Set(["team", "channel", "user", "bot", "emoji", "direct_channel"]);

export class MattermostIndex {
  /** Display names, by name. */
  readonly teams = new Map<string, string>();
  readonly channels = new Map<string, Channel>();
  readonly people = new Map<string, ImportedPerson>();
  /** Pictures of people, by ID. */
  readonly pictures = new Map<string, string>();
  readonly conversations = new Map<string, string[]>();
  readonly emoji = new Map<string, string>();
  /** Unreadable lines that are not messages. */
  unreadable = 0;

  static async of(archive: Archive, { name, version }: { name: string; version: unknown }): Promise<MattermostIndex> {
    if (Number(version) !== 1)
      throw new NotAnExport(problem("import_version_unsupported", { version: asText(version) || "?" }));
    const index = new MattermostIndex();
    for await (const { kind, fields } of linesOf(archive, name, INDEXED)) {
      if (fields) index.#add(kind, fields);
      else if (kind !== "") index.unreadable++;
    }
    return index;
  }

  #add(kind: string, fields: Fields): void {
    const name = idOf(kind === "user" || kind === "bot" ? fields.username : fields.name);
    if (kind === "direct_channel") {
      if (textsIn(fields.members).length > 0) this.conversation(fields.members);
    } else if (name !== "") {
      if (kind === "team") this.teams.set(name, firstText(fields.display_name) ?? asText(fields.name));
      else if (kind === "channel") this.channel(idOf(fields.team), name).fields = fields;
      else if (kind === "emoji") this.emoji.set(asText(fields.name), asText(fields.image));
      else if (kind === "user") this.#addUser(name, fields);
      else this.#addBot(name, fields);
    }
  }

  channel(team: string, name: string): Channel {
    const id = channelId(team, name);
    const channel = this.channels.get(id) ?? { team, name, memberIds: new Set() };
    this.channels.set(id, channel);
    return channel;
  }

  /** The ID of a conversation consists of its members. */
  conversation(value: unknown): string {
    const members = unique(textsIn(value).map(idOf)).sort();
    const id = `direct:${members.join(",")}`;
    if (!this.conversations.has(id)) this.conversations.set(id, members);
    return id;
  }

  #addUser(id: string, user: Fields): void {
    const teams = fieldsIn(user.teams);
    const fullName = [user.first_name, user.last_name].map((part) => asText(part).trim()).join(" ");
    this.people.set(id, {
      id,
      name: firstText(fullName, user.nickname) ?? id,
      username: id,
      email: firstText(user.email),
      role: roleOf(user, teams),
      isBot: false,
      isActive: !isSet(user.delete_at),
    });
    if (asText(user.profile_image) !== "") this.pictures.set(id, asText(user.profile_image));
    for (const team of teams) {
      for (const { name } of fieldsIn(team.channels))
        if (idOf(name) !== "") this.channel(idOf(team.name), idOf(name)).memberIds.add(id);
    }
  }

  #addBot(id: string, bot: Fields): void {
    const name = firstText(bot.display_name) ?? id;
    this.people.set(id, { id, name, username: id, role: "member", isBot: true, isActive: !isSet(bot.delete_at) });
  }
}

function roleOf(user: Fields, teams: readonly Fields[]): Role {
  const roles = (value: unknown) => asText(value).split(/\s+/);
  const own = roles(user.roles);
  const inTeams = teams.flatMap((team) => roles(team.roles));
  if (own.includes("system_admin")) return "owner";
  if (inTeams.includes("team_admin")) return "administrator";
  return own.includes("system_guest") || inTeams.includes("team_guest") ? "guest" : "member";
}
