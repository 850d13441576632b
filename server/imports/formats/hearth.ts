import { problem } from "../../errors.ts";
import { type Archive, folderOf, NotAnExport, openFileOf } from "../archive.ts";
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
  type LeftOut,
  ROLES,
} from "../model.ts";
import { readFirstFields, readJson, readLines } from "../parts.ts";
import { Strangers } from "../strangers.ts";
import { asCount, asFields, asList, asText, asTime, type Fields, fieldsOf, firstText, unique } from "../values.ts";
import { emojiOf } from "./zulip/reactions.ts";
import { type Names, parseText, personByName } from "./zulip/text.ts";
import { OPEN_GROUPS } from "./zulip.ts";

/* Exports of another Hearth. server/host/exports/plain-readme.ts documents their fields. */

/** The version of the format that Hearth writes. */
const FORMAT = 1;

export async function isHearthExport(archive: Archive): Promise<boolean> {
  const folder = exportFolder(archive);
  if (folder === undefined) return false;
  const about = await readFirstFields(archive, `${folder}export.json`, ["format", "hearth"]);
  return about.has("format") && about.has("hearth");
}

const exportFolder = (archive: Archive): string | undefined => folderOf(archive, "export.json", "people.jsonl");

export function hearthReader(archive: Archive): ExportReader {
  let loading: Promise<HearthExport> | undefined;
  const load = (): Promise<HearthExport> => {
    loading ??= loadExport(archive);
    return loading;
  };
  return {
    people: async function* () {
      yield* (await load()).people();
    },
    channels: async function* () {
      yield* (await load()).channels.values();
    },
    conversations: async function* () {
      yield* (await load()).conversations.values();
    },
    emoji: async function* () {
      yield* (await load()).emoji.values();
    },
    messages: async function* (leftOut) {
      yield* (await load()).messages(leftOut);
    },
    openFile: openFileOf(archive),
  };
}

async function loadExport(archive: Archive): Promise<HearthExport> {
  const folder = exportFolder(archive) ?? "";
  const { format } = fieldsOf(await readJson(archive, `${folder}export.json`));
  if (format !== FORMAT)
    throw new NotAnExport(problem("import_version_unsupported", { version: JSON.stringify(format) ?? "?" }));
  const loaded = new HearthExport(archive, folder);
  await loaded.load();
  return loaded;
}

interface Row {
  readonly id: string;
  readonly fields: Fields;
}

/** The export without its messages. */
class HearthExport {
  readonly #archive: Archive;
  readonly #folder: string;
  readonly #people = new Map<string, ImportedPerson>();
  readonly #strangers = new Strangers((id) => this.#people.has(id));
  readonly channels = new Map<string, ImportedChannel>();
  readonly conversations = new Map<string, ImportedConversation>();
  /** By name. */
  readonly emoji = new Map<string, ImportedEmoji>();
  readonly #emojiNames = new Map<string, string>();
  readonly #files = new Map<string, ImportedFile>();
  /** IDs of files, by the path in links. */
  readonly #fileIds = new Map<string, string>();
  readonly #channelIds = new Map<string, string>();
  #personNamed: Names["person"] = () => undefined;
  /** Lines of the lists that lack what they need. */
  #unreadable = 0;

  constructor(archive: Archive, folder: string) {
    this.#archive = archive;
    this.#folder = folder;
  }

  /** Reads the lists, and who takes part in the messages. */
  async load(): Promise<void> {
    for await (const { id, fields } of this.#rows("people.jsonl")) this.#people.set(id, this.#person(id, fields));
    this.#personNamed = personByName(this.#people.values());
    const names = { folders: await this.#namesIn("folders.jsonl"), groups: await this.#namesIn("groups.jsonl") };
    for await (const { id, fields } of this.#rows("channels.jsonl")) this.#takeChannel(id, fields, names);
    for await (const { id, fields } of this.#rows("emoji.jsonl")) this.#takeEmoji(id, fields);
    for await (const { id, fields } of this.#rows("files.jsonl")) this.#takeFile(id, fields);
    for await (const row of this.#messageRows()) if (row) this.#meet(row);
  }

  people(): ImportedPerson[] {
    return [...this.#people.values(), ...this.#strangers.all()];
  }

  async *messages(leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    for await (const row of this.#messageRows()) {
      const message = row && this.#message(row, leftOut);
      if (message) yield message;
      else leftOut.add("unreadable records");
    }
    if (this.#unreadable > 0) leftOut.add("unreadable records", this.#unreadable);
  }

  /** The lines of a list. Counts those without an ID. */
  async *#rows(list: string): AsyncGenerator<Row> {
    for await (const fields of this.#lines(this.#folder + list)) {
      const id = idOf(fields?.id);
      if (fields && id !== undefined) yield { id, fields };
      else this.#unreadable++;
    }
  }

  async *#messageRows(): AsyncGenerator<Row | undefined> {
    const folder = `${this.#folder}messages/`;
    const names = [...this.#archive.files.keys()].filter(
      (name) => name.startsWith(folder) && /^\d+\.jsonl$/.test(name.slice(folder.length)),
    );
    for (const name of names.sort())
      for await (const fields of this.#lines(name)) {
        const id = idOf(fields?.id);
        yield fields && id !== undefined ? { id, fields } : undefined;
      }
  }

  /** Undefined: the line is not an object. */
  async *#lines(name: string): AsyncGenerator<Fields | undefined> {
    if (!this.#archive.files.has(name)) return;
    for await (const line of readLines(this.#archive, name)) {
      if (line.trim() === "") continue;
      const value = parsed(line);
      yield asFields(value);
    }
  }

  async #namesIn(list: string): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    for await (const { id, fields } of this.#rows(list)) {
      const name = firstText(fields.name);
      if (name === undefined) this.#unreadable++;
      else names.set(id, name);
    }
    return names;
  }

  #person(id: string, fields: Fields): ImportedPerson {
    return {
      id,
      name: firstText(fields.name) ?? "Unknown",
      email: firstText(fields.email),
      role: ROLES.find((role) => role === fields.role) ?? "member",
      isBot: fields.is_bot === true,
      isActive: fields.is_active === true && fields.is_system_bot !== true,
      timezone: firstText(fields.timezone),
      joinedAt: asTime(fields.joined_at),
      picture: asText(fields.picture) === "" ? undefined : this.#file(fields.picture),
    };
  }

  #takeChannel(
    id: string,
    fields: Fields,
    { folders, groups }: { folders: ReadonlyMap<string, string>; groups: ReadonlyMap<string, string> },
  ): void {
    const name = firstText(fields.name);
    if (name === undefined) {
      this.#unreadable++;
      return;
    }
    const creatorId = idOf(fields.creator_id);
    this.#channelIds.set(channelKey(name), id);
    this.channels.set(id, {
      id,
      name,
      description: asText(fields.description),
      isPrivate: fields.is_private === true,
      isArchived: fields.is_archived === true,
      isDefault: fields.is_default === true,
      isReadOnly: isLimited(fieldsOf(fields.settings).can_send_message_group, groups),
      folder: folders.get(idOf(fields.folder_id) ?? ""),
      createdAt: asTime(fields.created_at),
      creatorId: creatorId && this.#strangers.meet(creatorId),
      memberIds: this.#peopleIn(fields.subscriber_ids),
    });
  }

  #takeEmoji(id: string, fields: Fields): void {
    const name = firstText(fields.name);
    if (name === undefined) {
      this.#unreadable++;
      return;
    }
    this.#emojiNames.set(id, name);
    const isDeactivated = fields.is_deactivated === true;
    // A deactivated emoji can have the name of a newer one.
    if (!isDeactivated || !this.emoji.has(name))
      this.emoji.set(name, { name, picture: this.#file(fields.file), isDeactivated });
  }

  #takeFile(id: string, fields: Fields): void {
    const path = /^\/user_uploads\/(.+)$/.exec(asText(fields.url))?.[1];
    const name = firstText(fields.name) ?? path?.split("/").at(-1);
    if (name === undefined) {
      this.#unreadable++;
      return;
    }
    if (path !== undefined) this.#fileIds.set(path, id);
    this.#files.set(id, { id, name, size: asCount(fields.bytes), source: this.#file(fields.file) });
  }

  #file(name: unknown): FileSource {
    const path = this.#folder + asText(name);
    return this.#archive.files.has(path) ? { path } : "missing";
  }

  #peopleIn(ids: unknown): string[] {
    return unique(asList(ids).flatMap((id) => idOf(id) ?? [])).map((id) => this.#strangers.meet(id));
  }

  /** Notes the conversation, and people that the list of people lacks. */
  #meet({ fields }: Row): void {
    const place = this.#place(fields);
    const memberIds = this.#peopleIn(fields.recipient_ids);
    if (place !== undefined && !this.channels.has(place)) this.conversations.set(place, { id: place, memberIds });
    const reacting = asList(fields.reactions).map((reaction) => fieldsOf(reaction).user_id);
    this.#peopleIn([fields.sender_id, ...reacting, ...asList(fields.starred_by)]);
  }

  #place({ channel_id, recipient_ids }: Fields): string | undefined {
    const channel = idOf(channel_id);
    if (channel !== undefined) return this.channels.has(channel) ? channel : undefined;
    const members = asList(recipient_ids).flatMap((id) => idOf(id) ?? []);
    return members.length > 0 ? directPlace(members) : undefined;
  }

  #message({ id, fields }: Row, leftOut: LeftOut): ImportedMessage | undefined {
    const [senderId, sentAt, place] = [idOf(fields.sender_id), asTime(fields.sent_at), this.#place(fields)];
    if (senderId === undefined || sentAt === undefined || place === undefined) return undefined;
    const files = unique(asList(fields.file_ids).map(idOf)).flatMap((file) => this.#files.get(file ?? "") ?? []);
    // The text of a poll or a to-do list stays, without votes and ticks.
    if (asList(fields.widget).length > 0) leftOut.add("buttons and forms");
    return {
      id,
      place,
      topic: this.channels.has(place) ? asText(fields.topic) : undefined,
      senderId,
      sentAt,
      editedAt: asTime(fields.edited_at),
      text: parseText(asText(fields.content), this.#names(senderId, files)),
      files,
      reactions: this.#reactions(fields.reactions, leftOut),
      starredBy: this.#peopleIn(fields.starred_by),
    };
  }

  #names(senderId: string, files: readonly ImportedFile[]): Names {
    return {
      person: this.#personNamed,
      personName: (id) => this.#people.get(id)?.name,
      channel: (name) => this.#channelIds.get(channelKey(name)),
      channelName: (id) => this.channels.get(id)?.name,
      // Links name the other people of a conversation.
      conversation: (people) =>
        [[...people, senderId], people]
          .map((members) => directPlace(members.map(String)))
          .find((place) => this.conversations.has(place)),
      file: (path) => files.find(({ id }) => id === this.#fileIds.get(path))?.id,
    };
  }

  #reactions(written: unknown, leftOut: LeftOut): ImportedReaction[] {
    const byEmoji = Map.groupBy(asList(written).map(fieldsOf), ({ reaction_type, emoji_code }) =>
      JSON.stringify([asText(reaction_type), asText(emoji_code)]),
    );
    return [...byEmoji].flatMap(([key, reactions]) => {
      const [type, code] = JSON.parse(key) as [string, string];
      const emoji = emojiOf(type, code, this.#emojiNames);
      if (!emoji) leftOut.add("reactions of unknown emoji");
      const personIds = this.#peopleIn(reactions.map(({ user_id }) => user_id));
      return emoji && personIds.length > 0 ? [{ emoji, personIds }] : [];
    });
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const idOf = (value: unknown): string | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined;

const channelKey = (name: string): string => name.normalize("NFC").toLowerCase();

const directPlace = (members: readonly string[]): string =>
  `direct:${unique(members)
    .sort((a, b) => Number(a) - Number(b))
    .join("-")}`;

/** Whether only some members have a permission. It is a group, or people and groups. */
function isLimited(permission: unknown, groups: ReadonlyMap<string, string>): boolean {
  if (permission === undefined) return false; // exports of older versions do not have it
  const ids = asFields(permission) ? asList(fieldsOf(permission).direct_subgroups) : [permission];
  return !ids.some((id) => OPEN_GROUPS.has(groups.get(idOf(id) ?? "") ?? ""));
}
