import { problem } from "../../errors.ts";
import { type Archive, NotAnExport, openFileOf, safeName } from "../archive.ts";
import { type Block, isPlain, markdownOf } from "../blocks.ts";
import { emojiCharacter } from "../emoji-names.ts";
import {
  type ExportReader,
  type FileSource,
  type ImportedChannel,
  type ImportedConversation,
  type ImportedEmoji,
  type ImportedFile,
  type ImportedMessage,
  type ImportedPerson,
  type ImportedReaction,
  LeftOut,
  type Role,
  type Text,
} from "../model.ts";
import { readLines } from "../parts.ts";
import { Strangers } from "../strangers.ts";
import { asFields, asText, type Fields, fieldsIn, firstText, textsIn } from "../values.ts";
import { type AttachmentReader, attachmentBlocks } from "./attachments.ts";
import { type MattermostNames, parseMattermost } from "./mattermost-markup.ts";

/* Bulk exports of Mattermost: a file with an object in each line, alone or with its attachments in a folder `data`. */

export const isMattermost = async (archive: Archive): Promise<boolean> => (await exportFile(archive)) !== undefined;

/** Files to look at. */
const MAX_CANDIDATES = 20;

/** The file whose first line has a version. */
async function exportFile(archive: Archive): Promise<{ name: string; version: unknown } | undefined> {
  const all = [...archive.files.keys()];
  const depth = (name: string) => name.split("/").length;
  const candidates = all
    .filter((name) => all.length === 1 || (/\.jsonl?$/i.test(name) && depth(name) <= 3))
    .sort((a, b) => Number(b.endsWith("l")) - Number(a.endsWith("l")) || depth(a) - depth(b));
  for (const name of candidates.slice(0, MAX_CANDIDATES)) {
    const first = asFields(parsed(await firstLine(archive, name)));
    if (first?.type === "version") return { name, version: first.version };
  }
  return undefined;
}

/** More than the first line has. */
const MAX_FIRST_LINE = 64 * 1024;

async function firstLine(archive: Archive, name: string): Promise<string> {
  let text = "";
  for await (const piece of await archive.open(name)) {
    text += (piece as Buffer).toString("utf8");
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end).replace(/^\ufeff/, "");
    if (text.length > MAX_FIRST_LINE) return "";
  }
  return text.replace(/^\ufeff/, "");
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function mattermostReader(archive: Archive): ExportReader {
  let loading: Promise<MattermostExport> | undefined;
  const load = () => {
    loading ??= loadExport(archive);
    return loading;
  };
  return {
    openFile: openFileOf(archive),
    people: async function* () {
      yield* await (await load()).people();
    },
    channels: async function* () {
      yield* await (await load()).channels();
    },
    conversations: async function* () {
      yield* await (await load()).conversations();
    },
    emoji: async function* () {
      yield* (await load()).emoji();
    },
    messages: async function* (leftOut) {
      yield* (await load()).messages(leftOut);
    },
  };
}

async function loadExport(archive: Archive): Promise<MattermostExport> {
  const file = await exportFile(archive);
  if (!file) throw new NotAnExport(problem("import_part_missing", { name: "import.jsonl" }));
  if (Number(file.version) !== 1)
    throw new NotAnExport(problem("import_version_unsupported", { version: asText(file.version) || "?" }));
  const index = newIndex();
  for await (const { kind, fields } of records(archive, file.name, (each) => INDEXED.has(each))) {
    if (fields) INDEXED.get(kind)?.(index, fields);
    else if (INDEXED.has(kind)) index.unreadable++;
  }
  return new MattermostExport(archive, file.name, index);
}

interface Line {
  number: number;
  kind: string;
  /** Undefined if the line is not readable. */
  fields: Fields | undefined;
}

const POSTS = new Set(["post", "direct_post"]);
const KIND = /^\s*\{\s*"type"\s*:\s*"(\w{1,40})"/;

/** The lines of the wanted kinds, and those that are not readable. Skips others without reading them. */
async function* records(archive: Archive, file: string, isWanted: (kind: string) => boolean): AsyncGenerator<Line> {
  let number = 0;
  for await (const line of readLines(archive, file)) {
    number++;
    const start = KIND.exec(line)?.[1];
    if (line.trim() === "" || (start !== undefined && !isWanted(start))) continue;
    const record = asFields(parsed(line.replace(/^\ufeff/, "")));
    const kind = start ?? asText(record?.type);
    if (kind !== "" && !isWanted(kind)) continue;
    yield { number, kind, fields: record && Object.hasOwn(record, kind) ? asFields(record[kind]) : undefined };
  }
}

interface Channel {
  team: string;
  name: string;
  /** Undefined for a channel that only messages refer to. */
  fields?: Fields;
  memberIds: Set<string>;
}

interface Index {
  /** Visible names, by name. */
  teams: Map<string, string>;
  channels: Map<string, Channel>;
  people: Map<string, ImportedPerson>;
  /** Pictures of people, by ID. */
  pictures: Map<string, string>;
  conversations: Map<string, string[]>;
  emoji: Map<string, string>;
  /** Lines that are not readable, without messages. */
  unreadable: number;
}

const newIndex = (): Index => ({
  teams: new Map(),
  channels: new Map(),
  people: new Map(),
  pictures: new Map(),
  conversations: new Map(),
  emoji: new Map(),
  unreadable: 0,
});

/** Names of people and places are the same in any case. */
const idOf = (name: unknown): string => asText(name).toLowerCase();
const channelId = (team: string, name: string): string => `${team}/${name}`;

function channelIn(index: Index, team: string, name: string): Channel {
  const id = channelId(team, name);
  const channel = index.channels.get(id) ?? { team, name, memberIds: new Set() };
  index.channels.set(id, channel);
  return channel;
}

/** A conversation is known by its members. */
function conversationIn(index: Index, value: unknown): string {
  const members = [...new Set(textsIn(value).map(idOf))].sort();
  const id = `direct:${members.join(",")}`;
  if (!index.conversations.has(id)) index.conversations.set(id, members);
  return id;
}

/** How each kind of line gets into the index. */
const INDEXED: ReadonlyMap<string, (index: Index, fields: Fields) => void> = new Map([
  ["team", indexTeam],
  ["channel", indexChannel],
  ["user", indexUser],
  ["bot", indexBot],
  ["emoji", indexEmoji],
  ["direct_channel", indexConversation],
]);

function indexTeam({ teams }: Index, { name, display_name }: Fields): void {
  if (idOf(name) !== "") teams.set(idOf(name), firstText(display_name) ?? asText(name));
}

function indexChannel(index: Index, fields: Fields): void {
  if (idOf(fields.name) !== "") channelIn(index, idOf(fields.team), idOf(fields.name)).fields = fields;
}

function indexEmoji({ emoji }: Index, { name, image }: Fields): void {
  if (asText(name) !== "") emoji.set(asText(name), asText(image));
}

function indexConversation(index: Index, { members }: Fields): void {
  if (textsIn(members).length > 0) conversationIn(index, members);
}

function indexUser(index: Index, user: Fields): void {
  const id = idOf(user.username);
  if (id === "") return;
  const teams = fieldsIn(user.teams);
  const fullName = [user.first_name, user.last_name].map((part) => asText(part).trim()).join(" ");
  index.people.set(id, {
    id,
    name: firstText(fullName, user.nickname) ?? id,
    username: id,
    email: firstText(user.email),
    role: roleOf(user, teams),
    isBot: false,
    isActive: !isSet(user.delete_at),
  });
  if (asText(user.profile_image) !== "") index.pictures.set(id, asText(user.profile_image));
  for (const team of teams) {
    for (const { name } of fieldsIn(team.channels)) {
      const channel = idOf(name);
      if (channel !== "") channelIn(index, idOf(team.name), channel).memberIds.add(id);
    }
  }
}

/** A time that is 0 or missing has not come. */
const isSet = (time: unknown): boolean => Number(asText(time)) > 0;

function roleOf(user: Fields, teams: readonly Fields[]): Role {
  const roles = (value: unknown) => asText(value).split(/\s+/);
  const own = roles(user.roles);
  const inTeams = teams.flatMap((team) => roles(team.roles));
  if (own.includes("system_admin")) return "owner";
  if (inTeams.includes("team_admin")) return "administrator";
  return own.includes("system_guest") || inTeams.includes("team_guest") ? "guest" : "member";
}

function indexBot({ people }: Index, bot: Fields): void {
  const id = idOf(bot.username);
  if (id === "") return;
  const [name, isActive] = [firstText(bot.display_name) ?? id, !isSet(bot.delete_at)];
  people.set(id, { id, name, username: id, role: "member", isBot: true, isActive });
}

/** Descriptions have no references. */
const NO_NAMES: MattermostNames = { mention: () => undefined, channel: () => undefined };

/** New people join these channels of each team. */
const DEFAULT_CHANNELS = new Set(["town-square", "off-topic"]);
const EVERYONE = new Set(["all", "channel", "here"]);

class MattermostExport {
  readonly #archive: Archive;
  readonly #file: string;
  readonly #index: Index;
  readonly #strangers: Strangers;
  readonly #channelsByName = new Map<string, string[]>();
  /** A complete reading of the messages, which finds strangers and places. */
  #scan: Promise<void> | undefined;

  constructor(archive: Archive, file: string, index: Index) {
    this.#archive = archive;
    this.#file = file;
    this.#index = index;
    this.#strangers = new Strangers((id) => index.people.has(id));
    for (const [id, { name }] of index.channels)
      this.#channelsByName.set(name, [...(this.#channelsByName.get(name) ?? []), id]);
    for (const members of index.conversations.values()) for (const id of members) this.#strangers.meet(id);
  }

  /** Reads the messages for people and places that no list has. */
  async #find(): Promise<void> {
    this.#scan ??= (async () => {
      // Texts mention listed people only.
      for await (const _ of this.#posts(new LeftOut(), () => []));
    })();
    await this.#scan;
  }

  async people(): Promise<ImportedPerson[]> {
    await this.#find();
    const listed = [...this.#index.people.values()].map((person) => {
      const path = this.#index.pictures.get(person.id);
      return path === undefined ? person : { ...person, picture: this.#source(path) };
    });
    return [...listed, ...this.#strangers.all()];
  }

  async channels(): Promise<ImportedChannel[]> {
    await this.#find();
    return [...this.#index.channels].map(([id, channel]) => this.#channel(id, channel));
  }

  #channel(id: string, { team, name, fields = {}, memberIds }: Channel): ImportedChannel {
    const description = firstText(fields.purpose, fields.header) ?? "";
    return {
      id,
      name: firstText(fields.display_name) ?? name,
      description: markdownOf(parseMattermost(description, NO_NAMES)).join(""),
      // A channel without its own line is only for the people who wrote in it.
      isPrivate: fields.type !== "O",
      isArchived: isSet(fields.deleted_at),
      isDefault: DEFAULT_CHANNELS.has(name),
      isReadOnly: false,
      folder: this.#index.teams.size > 1 ? this.#folderOf(team) : undefined,
      memberIds: [...memberIds],
    };
  }

  /** The visible name of the team. Two teams can have the same. */
  #folderOf(team: string): string {
    const name = this.#index.teams.get(team) ?? team;
    const isUnique = [...this.#index.teams.values()].filter((each) => each === name).length <= 1;
    return isUnique ? name : `${name} (${team})`;
  }

  async conversations(): Promise<ImportedConversation[]> {
    await this.#find();
    return [...this.#index.conversations].map(([id, memberIds]) => ({ id, memberIds }));
  }

  *emoji(): Generator<ImportedEmoji> {
    for (const [name, image] of this.#index.emoji) yield { name, picture: this.#source(image) };
  }

  /** A file next to the export, or in its folder `data`. */
  #source(path: string): FileSource {
    const folder = this.#file.slice(0, this.#file.lastIndexOf("/") + 1);
    const safe = safeName(path);
    for (const name of [`${folder}data/${safe}`, `${folder}${safe}`])
      if (safe !== undefined && this.#archive.files.has(name)) return { path: name };
    return "missing";
  }

  async *messages(leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    if (this.#index.unreadable > 0) leftOut.add("unreadable records", this.#index.unreadable);
    yield* this.#posts(leftOut, (post, team) => this.#textOf(post, team, leftOut));
  }

  async *#posts(leftOut: LeftOut, textOf: ReadText): AsyncGenerator<ImportedMessage> {
    for await (const { number, fields } of records(this.#archive, this.#file, (kind) => POSTS.has(kind))) {
      const place = fields && this.#placeOf(fields);
      if (!place) {
        leftOut.add("unreadable records");
        continue;
      }
      const replies = fieldsIn(fields.replies);
      const threadId = replies.length > 0 && place.team !== undefined ? String(number) : undefined;
      for (const [index, post] of [fields, ...replies].entries()) {
        const id = index === 0 ? String(number) : `${number}.${index}`;
        const message = this.#message(post, { id, place }, leftOut, textOf);
        if (message) yield { ...message, threadId };
      }
    }
    this.#scan ??= Promise.resolve();
  }

  #placeOf(fields: Fields): Place | undefined {
    const members = textsIn(fields.channel_members);
    if (members.length > 0) {
      const id = conversationIn(this.#index, members);
      for (const member of this.#index.conversations.get(id) as string[]) this.#strangers.meet(member);
      return { id, team: undefined, channel: undefined };
    }
    const [team, name] = [idOf(fields.team), idOf(fields.channel)];
    if (name === "") return undefined;
    return { id: channelId(team, name), team, channel: channelIn(this.#index, team, name) };
  }

  #message(
    post: Fields,
    { id, place }: { id: string; place: Place },
    leftOut: LeftOut,
    textOf: ReadText,
  ): ImportedMessage | undefined {
    const sentAt = timeOf(post.create_at);
    const user = idOf(post.user);
    if (sentAt === undefined || user === "") return void leftOut.add("unreadable records");
    if (isSet(post.delete_at)) return void leftOut.add("deleted messages");
    if (this.#isNotice(post, user)) return void leftOut.add("notices");
    const senderId = this.#senderOf(user, propsOf(post));
    if (place.channel && !place.channel.fields) place.channel.memberIds.add(senderId);
    const text = textOf(post, place.team);
    const message = {
      id,
      place: place.id,
      senderId,
      sentAt,
      editedAt: isSet(post.edit_at) ? timeOf(post.edit_at) : undefined,
      text,
      files: this.#files(post, id),
      reactions: this.#reactions(post.reactions),
      pinnedBy: post.is_pinned === true ? [] : undefined,
      starredBy: textsIn(post.flagged_by).map((name) => this.#strangers.meet(idOf(name))),
    };
    return text.length > 0 || message.files.length > 0 ? message : void leftOut.add("empty messages");
  }

  /** Old exports have notices as ordinary texts. */
  #isNotice({ type, message }: Fields, user: string): boolean {
    if (asText(type) !== "") return asText(type).startsWith("system_");
    const [, joined, added] = NOTICE.exec(asText(message)) ?? [];
    return joined === user || (added !== undefined && this.#index.people.has(added));
  }

  /** An integration can send with another name than its owner's. */
  #senderOf(user: string, props: Fields): string {
    const name = firstText(props.override_username);
    const isOwn = name === undefined || name === user || name === this.#index.people.get(user)?.name;
    return isOwn ? this.#strangers.meet(user) : this.#strangers.meetNamed("webhook", name);
  }

  #textOf(post: Fields, team: string | undefined, leftOut: LeftOut): Text {
    const props = propsOf(post);
    const isMe = post.type === "me";
    const message = asText(post.message);
    const text = isMe ? (firstText(props.message) ?? message.replace(/^\*([\s\S]*)\*$/, "$1")) : message;
    const attachments = fieldsIn(props.attachments);
    if (!isMe && attachments.length === 0 && isPlain(text)) return [text];
    const parse = (each: string): Block[] => parseMattermost(each, this.#names(team));
    const count: AttachmentReader["count"] = (kind, number = 1) => {
      if (number > 0) leftOut.add(kind, number);
    };
    const more = attachments.flatMap((attachment) => attachmentBlocks(attachment, { parse, count }));
    return markdownOf([...parse(text), ...more], { isMe });
  }

  #names(team: string | undefined): MattermostNames {
    return {
      mention: (written) => {
        const name = written.toLowerCase();
        if (EVERYONE.has(name)) return { everyone: true };
        return this.#index.people.has(name) ? { person: name } : undefined;
      },
      channel: (written) => {
        const name = written.toLowerCase();
        const own = team === undefined ? undefined : channelId(team, name);
        if (own !== undefined) return this.#index.channels.get(own)?.fields ? { channel: own } : undefined;
        const [only, another] = this.#channelsByName.get(name) ?? [];
        return only === undefined || another !== undefined ? undefined : { channel: only };
      },
    };
  }

  #files(post: Fields, messageId: string): ImportedFile[] {
    return fieldsIn(post.attachments).flatMap((attachment, index) => {
      const path = asText(attachment.path);
      if (path === "") return [];
      const source = this.#source(path);
      const size = typeof source === "object" && "path" in source ? this.#archive.files.get(source.path) : undefined;
      const name = path.replaceAll("\\", "/").split("/").at(-1) || "file";
      return [{ id: `${messageId}-${index}`, name, size, source }];
    });
  }

  #reactions(value: unknown): ImportedReaction[] {
    const found = new Map<string, { emoji: ImportedReaction["emoji"]; people: Set<string> }>();
    for (const reaction of fieldsIn(value)) {
      const [name, user] = [asText(reaction.emoji_name), idOf(reaction.user)];
      if (name === "" || user === "") continue;
      const character = emojiCharacter(name);
      const key = character ?? `:${name}`;
      const entry = found.get(key) ?? { emoji: character === undefined ? { name } : { character }, people: new Set() };
      found.set(key, entry);
      entry.people.add(this.#strangers.meet(user));
    }
    return [...found.values()].map(({ emoji, people }) => ({ emoji, personIds: [...people] }));
  }
}

const NOTICE =
  /^(?:(\S{1,64}) (?:joined|left) the (?:channel|team)|(\S{1,64}) (?:added to|removed from) the (?:channel|team)(?: by \S{1,64})?)\.$/;

type ReadText = (post: Fields, team: string | undefined) => Text;

interface Place {
  id: string;
  /** Undefined in direct messages. */
  team: string | undefined;
  channel: Channel | undefined;
}

/** Milliseconds between 1970 and 9999. */
function timeOf(value: unknown): number | undefined {
  const time = asText(value) === "" ? Number.NaN : Math.floor(Number(asText(value)));
  return time > 0 && time < 253_402_300_800_000 ? time : undefined;
}

/** Most posts have none, and an attempt to parse them costs more than the rest of the post. */
const propsOf = ({ props }: Fields): Fields =>
  asFields(props) ?? (asText(props) === "" ? undefined : asFields(parsed(asText(props)))) ?? {};
