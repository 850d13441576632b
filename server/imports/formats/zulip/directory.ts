import { type Archive, folderOf, safeName } from "../../archive.ts";
import type { FileSource, ImportedEmoji, ImportedPerson, Role } from "../../model.ts";
import { readElements, readJson, readTables } from "../../parts.ts";
import { Strangers } from "../../strangers.ts";
import {
  addTo,
  asCount,
  asFields,
  asList,
  asText,
  type Fields,
  fieldsIn,
  fieldsOf,
  firstText,
  secondsToTime,
  unique,
} from "../../values.ts";
import { ReactionList } from "./reactions.ts";
import { type Names, personByName } from "./text.ts";

export interface Channel {
  readonly id: number;
  readonly name: string;
  readonly fields: Fields;
}

export interface Recipient {
  /** 1: a person, 2: a channel, 3: a group of people. */
  readonly type: number;
  readonly id: number;
}

/** The things that messages refer to. */
export interface Directory {
  readonly people: Map<number, ImportedPerson>;
  readonly personNamed: Names["person"];
  readonly channels: ReadonlyMap<number, Channel>;
  readonly channelsByName: ReadonlyMap<string, Channel>;
  readonly recipients: ReadonlyMap<number, Recipient>;
  /** Subscribers of channels, and members of groups of people, by recipient. */
  readonly members: ReadonlyMap<number, readonly number[]>;
  /** Members of groups of people, by `memberKey`. */
  readonly groupsOfPeople: ReadonlyMap<string, readonly number[]>;
  readonly defaultChannels: ReadonlySet<number>;
  readonly folders: ReadonlyMap<number, string>;
  /** Names of the groups that permissions refer to. Groups without a name are lists of people. */
  readonly groups: ReadonlyMap<number, string>;
  /** Groups that are directly in a group. */
  readonly subgroups: ReadonlyMap<number, readonly number[]>;
  readonly emoji: readonly ImportedEmoji[];
  readonly reactions: ReactionList;
  readonly uploads: Uploads;
  readonly strangers: Strangers;
  /** Rows without required columns. */
  readonly unreadable: number;
}

export interface Uploads {
  /** Files in the archive, by the path in links. */
  readonly sources: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, { readonly name: string; readonly size: number | undefined }>;
}

/** The folder of an archive, ending in a slash unless empty. */
export const archiveFolder = (archive: Archive): string | undefined =>
  folderOf(archive, "realm.json", "migration_status.json");

/** Files up to this size are parsed as a whole, which is ten times faster. */
const WHOLE_BYTES = 16 << 20;

/** Batches of rows of tables of a file, which is read in parts if it is large. */
export async function* rowsOf(
  archive: Archive,
  name: string,
  tables: readonly string[],
  wholeBytes = WHOLE_BYTES,
): AsyncGenerator<{ table: string; rows: readonly unknown[] }> {
  if ((archive.files.get(name) ?? 0) > wholeBytes) {
    for await (const { table, value } of readTables(archive, name, tables)) yield { table, rows: [value] };
    return;
  }
  const contents = fieldsOf(await readJson(archive, name));
  for (const table of tables) yield { table, rows: asList(contents[table]) };
}

const TABLES = [
  "zerver_userprofile",
  "zerver_userprofile_mirrordummy",
  "zerver_userprofile_crossrealm",
  "zerver_stream",
  "zerver_channelfolder",
  "zerver_defaultstream",
  "zerver_namedusergroup",
  "zerver_groupgroupmembership",
  "zerver_recipient",
  "zerver_subscription",
  "zerver_realmemoji",
  "zerver_reaction",
] as const;
type Table = (typeof TABLES)[number];

export async function readDirectory(archive: Archive, folder: string): Promise<Directory> {
  const avatars = await readPictures(archive, `${folder}avatars/`, ({ user_profile_id }) => asCount(user_profile_id));
  const emojiFiles = await readPictures(archive, `${folder}emoji/`, ({ file_name }) => asText(file_name));
  const found = new Rows(avatars, emojiFiles);
  for await (const { table, rows } of rowsOf(archive, `${folder}realm.json`, TABLES))
    for (const row of rows) found.add(table as Table, row);
  return { ...found.directory(), uploads: await readUploads(archive, folder) };
}

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  [100, "owner"],
  [200, "administrator"],
  [300, "moderator"],
  [400, "member"],
  [600, "guest"],
]);

/** Collects the rows of realm.json, which can come in any order. */
class Rows {
  readonly #avatars: ReadonlyMap<unknown, FileSource>;
  readonly #emojiFiles: ReadonlyMap<unknown, FileSource>;
  readonly #people = new Map<number, ImportedPerson>();
  readonly #channels = new Map<number, Channel>();
  readonly #folders = new Map<number, string>();
  readonly #defaults = new Set<number>();
  readonly #groups = new Map<number, string>();
  readonly #subgroups = new Map<number, number[]>();
  readonly #recipients = new Map<number, Recipient>();
  readonly #members = new Map<number, number[]>();
  readonly #emoji = new Map<string, ImportedEmoji>();
  readonly #emojiNames = new Map<string, string>();
  readonly #reactions = new ReactionList(this.#emojiNames);
  #unreadable = 0;

  constructor(avatars: ReadonlyMap<unknown, FileSource>, emojiFiles: ReadonlyMap<unknown, FileSource>) {
    this.#avatars = avatars;
    this.#emojiFiles = emojiFiles;
  }

  add(table: Table, row: unknown): void {
    const fields = asFields(row);
    const id = asCount(fields?.id);
    if (!fields || (id === undefined && table !== "zerver_namedusergroup") || !this.#take(table, fields, id ?? 0))
      this.#unreadable++;
  }

  /** Returns whether the row has its required columns. */
  #take(table: Table, row: Fields, id: number): boolean {
    if (table === "zerver_subscription") return this.#member(row);
    if (table === "zerver_groupgroupmembership") return this.#subgroup(row);
    if (table === "zerver_reaction") return this.#reactions.add(row);
    if (table === "zerver_recipient") return this.#recipient(row, id);
    if (table === "zerver_realmemoji") return this.#takeEmoji(row, id);
    if (table === "zerver_defaultstream")
      return asCount(row.stream) !== undefined && !!this.#defaults.add(Number(row.stream));
    if (table === "zerver_userprofile_crossrealm") return this.#systemBot(row, id);
    if (table === "zerver_namedusergroup") return named(this.#groups, asCount(row.usergroup_ptr), row.name);
    if (table === "zerver_channelfolder") return named(this.#folders, id, row.name);
    if (table === "zerver_stream") return this.#channel(row, id);
    return this.#person(row, id, table === "zerver_userprofile_mirrordummy");
  }

  #person(row: Fields, id: number, isPlaceholder: boolean): boolean {
    const timezone = firstText(row.timezone);
    this.#people.set(id, {
      id: String(id),
      name: firstText(row.full_name) ?? "Unknown",
      email: firstText(row.delivery_email, row.email),
      role: ROLES.get(row.role) ?? "member",
      isBot: row.is_bot === true,
      isActive:
        row.is_active !== false && row.is_mirror_dummy !== true && row.is_imported_stub !== true && !isPlaceholder,
      timezone,
      joinedAt: secondsToTime(row.date_joined),
      picture: row.avatar_source === "U" ? this.#avatars.get(id) : undefined,
    });
    return true;
  }

  /** The server's own bots have no account in the archive. */
  #systemBot(row: Fields, id: number): boolean {
    const [recipient, email] = [asCount(row.recipient_id), asText(row.email)];
    if (recipient !== undefined) this.#recipients.set(recipient, { type: 1, id });
    const words = (email.split("@")[0] as string).split(/[-_.]/).filter((word) => word !== "");
    const name = words.map((word) => (word[0] as string).toUpperCase() + word.slice(1)).join(" ");
    this.#people.set(id, {
      id: String(id),
      name: name || "System Bot",
      email: firstText(email),
      role: "member",
      isBot: true,
      isActive: false,
    });
    return true;
  }

  #channel(fields: Fields, id: number): boolean {
    const name = firstText(fields.name);
    if (name !== undefined) this.#channels.set(id, { id, name, fields });
    return name !== undefined;
  }

  #recipient({ type, type_id }: Fields, id: number): boolean {
    const [kind, of] = [asCount(type), asCount(type_id)];
    if (kind === undefined || of === undefined) return false;
    this.#recipients.set(id, { type: kind, id: of });
    return true;
  }

  #member({ user_profile, recipient, active }: Fields): boolean {
    const [person, of] = [asCount(user_profile), asCount(recipient)];
    if (person === undefined || of === undefined) return false;
    if (active !== false) addTo(this.#members, of, person);
    return true;
  }

  #subgroup({ supergroup, subgroup }: Fields): boolean {
    const [group, inside] = [asCount(supergroup), asCount(subgroup)];
    if (group === undefined || inside === undefined) return false;
    addTo(this.#subgroups, group, inside);
    return true;
  }

  #takeEmoji({ name: written, file_name, deactivated }: Fields, id: number): boolean {
    const name = firstText(written);
    if (name === undefined) return false;
    this.#emojiNames.set(String(id), name);
    const picture = this.#emojiFiles.get(asText(file_name)) ?? "missing";
    const isDeactivated = deactivated === true;
    if (!isDeactivated || !this.#emoji.has(name)) this.#emoji.set(name, { name, picture, isDeactivated });
    return true;
  }

  directory(): Omit<Directory, "uploads"> {
    const channels = [...this.#channels.values()];
    return {
      people: this.#people,
      personNamed: personByName(this.#people.values()),
      channels: this.#channels,
      channelsByName: new Map(channels.map((channel) => [channel.name.toLowerCase(), channel])),
      recipients: this.#recipients,
      members: this.#members,
      groupsOfPeople: this.#groupsOfPeople(),
      defaultChannels: this.#defaults,
      folders: this.#folders,
      groups: this.#groups,
      subgroups: this.#subgroups,
      emoji: [...this.#emoji.values()],
      reactions: this.#reactions,
      strangers: new Strangers(
        (id) => this.#people.has(Number(id)),
        () => "Unknown",
      ),
      unreadable: this.#unreadable,
    };
  }

  #groupsOfPeople(): Map<string, number[]> {
    const groups = [...this.#recipients].flatMap(([recipient, { type }]) => {
      const members = type === 3 ? this.#members.get(recipient) : undefined;
      return members ? [unique(members)] : [];
    });
    return new Map(groups.map((members) => [memberKey(members), members]));
  }
}

export const memberKey = (members: readonly number[]): string => [...new Set(members)].sort((a, b) => a - b).join("-");

function named(names: Map<number, string>, id: number | undefined, written: unknown): boolean {
  const name = firstText(written);
  if (id === undefined || name === undefined) return false;
  names.set(id, name);
  return true;
}

/** The file of a record, if it is in the archive. Paths are relative to the folder of records.json. */
function fileOf(archive: Archive, folder: string, { path }: Fields): string | undefined {
  const name = safeName(asText(path));
  return name !== undefined && archive.files.has(folder + name) ? folder + name : undefined;
}

/** Pictures by `keyOf`. Prefers originals to thumbnails. */
async function readPictures(
  archive: Archive,
  folder: string,
  keyOf: (record: Fields) => unknown,
): Promise<Map<unknown, FileSource>> {
  const pictures = new Map<unknown, { path: string }>();
  const list = `${folder}records.json`;
  if (!archive.files.has(list)) return pictures;
  for await (const record of readElements(archive, list)) {
    const [key, path] = [keyOf(fieldsOf(record)), fileOf(archive, folder, fieldsOf(record))];
    if (key === undefined || path === undefined) continue;
    if (!pictures.get(key)?.path.endsWith(".original")) pictures.set(key, { path });
  }
  return pictures;
}

async function readUploads(archive: Archive, folder: string): Promise<Uploads> {
  const sources = new Map<string, string>();
  const list = `${folder}uploads/records.json`;
  if (archive.files.has(list))
    for await (const record of readElements(archive, list)) {
      const [link, path] = [asText(fieldsOf(record).s3_path), fileOf(archive, `${folder}uploads/`, fieldsOf(record))];
      if (link !== "" && path !== undefined) sources.set(link, path);
    }
  const names = new Map<string, { name: string; size: number | undefined }>();
  for await (const { rows } of rowsOf(archive, `${folder}attachment.json`, ["zerver_attachment"]))
    for (const { path_id, file_name, size } of fieldsIn(rows)) {
      const name = firstText(file_name);
      if (name !== undefined) names.set(asText(path_id), { name, size: asCount(size) });
    }
  return { sources, names };
}
