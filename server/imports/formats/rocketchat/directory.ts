import type { FileSource, ImportedPerson, Role } from "../../model.ts";
import { Strangers } from "../../strangers.ts";
import {
  addTo,
  asCount,
  asList,
  asText,
  asTime,
  type Fields,
  fieldsIn,
  fieldsOf,
  firstText,
  unique,
} from "../../values.ts";
import { type Dump, idOf } from "./dump.ts";
import type { GridFs } from "./gridfs.ts";

export interface Room {
  readonly id: string;
  readonly type: string;
  /** The name in URLs and in `#name`. */
  readonly slug: string;
  readonly name: string;
  /** The room that contains this discussion. */
  readonly parentId: string | undefined;
  readonly teamId: string | undefined;
  readonly people: readonly string[];
  readonly fields: Fields;
}

/** The destination of a room's messages. */
export type Place =
  | { readonly channel: string; readonly topic?: string }
  | { readonly conversation: string; readonly people: readonly string[] }
  | "visitors";

export interface Upload {
  readonly name: string;
  readonly size: number | undefined;
  readonly source: FileSource;
  /** A thumbnail of another file. */
  readonly isPreview: boolean;
}

/** The things that messages refer to: people, rooms, files and custom emoji. */
export interface Directory {
  readonly people: ReadonlyMap<string, ImportedPerson>;
  readonly rooms: ReadonlyMap<string, Room>;
  readonly places: ReadonlyMap<string, Place>;
  readonly roomsBySlug: ReadonlyMap<string, Room>;
  /** People by room. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** Names of teams, by ID. */
  readonly teams: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, Upload>;
  /** Where the contents of an uploaded file are, by its ID. */
  readonly storedUpload: (id: string) => FileSource;
  /** Custom emoji by name and alias. */
  readonly emoji: ReadonlyMap<string, FileSource>;
  readonly siteUrl: string | undefined;
  readonly strangers: Strangers;
  readonly idsByUsername: Map<string, string>;
}

export async function readDirectory(dump: Dump, files: GridFs): Promise<Directory> {
  const people = new Map<string, ImportedPerson>();
  const idsByUsername = new Map<string, string>();
  const strangers = new Strangers(
    (id) => people.has(id),
    () => "Unknown",
  );
  const memberSets = new Map<string, Set<string>>();
  const pictures = await readPictures(dump, files);
  for await (const user of dump.documents("users")) {
    const person = personOf(user, pictures);
    if (!person) continue;
    people.set(person.id, person);
    if (person.username !== undefined) idsByUsername.set(person.username, person.id);
    for (const room of asList(user.__rooms)) memberOf(memberSets, idOf(room), person.id);
  }
  const known = { people, strangers, idsByUsername };
  for await (const { rid, u } of dump.documents("rocketchat_subscription"))
    memberOf(memberSets, idOf(rid), personId(known, u));
  const members = new Map([...memberSets].map(([room, ids]) => [room, [...ids]]));
  const rooms = new Map<string, Room>();
  for await (const fields of dump.documents("rocketchat_room")) {
    const room = roomOf(fields, known);
    if (room) rooms.set(room.id, room);
  }
  const siteUrl = await readSiteUrl(dump);
  const storedUpload = await sourcesIn(files, UPLOADS);
  return {
    ...known,
    rooms,
    places: placesOf(rooms, members),
    roomsBySlug: new Map([...rooms.values()].filter(({ slug }) => slug !== "").map((room) => [room.slug, room])),
    members,
    teams: await readTeams(dump, rooms),
    uploads: await readUploads(dump, storedUpload, siteUrl),
    storedUpload,
    emoji: await readEmoji(dump, files),
    siteUrl,
  };
}

function memberOf(members: Map<string, Set<string>>, room: string | undefined, person: string | undefined): void {
  if (room === undefined || person === undefined) return;
  const existing = members.get(room);
  if (existing) existing.add(person);
  else members.set(room, new Set([person]));
}

/** Ignores passwords, tokens and settings. */
function personOf(user: Fields, pictures: ReadonlyMap<string, FileSource>): ImportedPerson | undefined {
  const id = idOf(user._id);
  if (id === undefined) return undefined;
  const username = firstText(user.username);
  const roles = asList(user.roles);
  const isVisitor = user.type === "unknown";
  return {
    id,
    name: firstText(user.name, user.username, user.nickname) ?? "Unknown",
    username,
    email: firstText(...fieldsIn(user.emails).map(({ address }) => address)),
    role: isVisitor ? "guest" : roleOf(roles),
    isBot: user.type === "bot" || user.type === "app" || roles.includes("bot") || roles.includes("app"),
    isActive: user.active !== false && !isVisitor,
    joinedAt: asTime(user.createdAt),
    picture: pictures.get(id) ?? pictures.get(`@${username}`),
  };
}

function roleOf(roles: readonly unknown[]): Role {
  if (roles.includes("admin")) return "owner";
  return roles.includes("guest") || roles.includes("anonymous") ? "guest" : "member";
}

type Known = Pick<Directory, "people" | "strangers" | "idsByUsername">;

/** The ID of a person in the form `{_id, username, name}`. Records unlisted people. */
export function personId(known: Known, value: unknown): string | undefined {
  const { _id, username, name } = fieldsOf(value);
  const id = idOf(_id);
  const handle = firstText(username);
  if (id === undefined) return handle === undefined ? undefined : personNamed(known, handle);
  if (known.people.has(id)) return id;
  if (handle !== undefined && !known.idsByUsername.has(handle)) known.idsByUsername.set(handle, id);
  return known.strangers.meet(id, { name: firstText(name, handle), username: handle });
}

/** The ID of the person with a username. Records deleted people. */
export function personNamed(known: Known, username: string): string {
  const existing = known.idsByUsername.get(username);
  if (existing !== undefined) return existing;
  const id = known.strangers.meet(`@${username}`, { name: username, username });
  known.idsByUsername.set(username, id);
  return id;
}

function roomOf(fields: Fields, known: Known): Room | undefined {
  const [id, type] = [idOf(fields._id), asText(fields.t)];
  if (id === undefined || type === "") return undefined;
  return {
    id,
    type,
    slug: asText(fields.name),
    name: firstText(fields.fname, fields.name) ?? id,
    parentId: idOf(fields.prid),
    teamId: idOf(fields.teamId),
    people: type === "d" ? peopleIn(fields, known) : [],
    fields,
  };
}

/** The people of a direct room. It has their IDs and usernames, but in different orders. */
function peopleIn({ uids, usernames }: Fields, known: Known): string[] {
  const ids = unique(asList(uids).map(idOf)).filter((id) => id !== undefined);
  const names = unique(asList(usernames).map((username) => firstText(username))).filter((name) => name !== undefined);
  if (ids.length === 0) return unique(names.map((username) => personNamed(known, username)));
  const [stranger, second] = ids.filter((id) => !known.people.has(id));
  const [username, other] = names.filter((name) => !known.idsByUsername.has(name));
  const isClear = second === undefined && other === undefined;
  for (const id of ids) personId(known, { _id: id, username: isClear && id === stranger ? username : undefined });
  return ids;
}

function placesOf(
  rooms: ReadonlyMap<string, Room>,
  members: ReadonlyMap<string, readonly string[]>,
): Map<string, Place> {
  const places = new Map<string, Place>();
  const placeOf = (room: Room, inside: ReadonlySet<string>): Place => {
    const existing = places.get(room.id);
    if (existing !== undefined) return existing;
    const isLoop = room.parentId !== undefined && (inside.has(room.parentId) || inside.size > 50);
    const parent = room.parentId === undefined || isLoop ? undefined : rooms.get(room.parentId);
    const parentPlace = parent && placeOf(parent, new Set([...inside, room.id]));
    const place = ownPlace(room, members.get(room.id) ?? [], parentPlace, rooms);
    places.set(room.id, place);
    return place;
  };
  for (const room of rooms.values()) placeOf(room, new Set([room.id]));
  return withDistinctTopics(places);
}

/** Discussions are topics of the channel that they belong to, if the same people can read both. */
function ownPlace(
  room: Room,
  members: readonly string[],
  parent: Place | undefined,
  rooms: ReadonlyMap<string, Room>,
): Place {
  if (room.type === "d") {
    const people = unique(room.people.length > 0 ? room.people : members);
    return { conversation: room.id, people };
  }
  if ((room.type !== "c" && room.type !== "p") || parent === "visitors") return "visitors";
  if (parent === undefined) return { channel: room.id };
  if ("conversation" in parent) return { conversation: room.id, people: unique([...parent.people, ...members]) };
  const isHiddenFromParent = room.type === "p" && rooms.get(parent.channel)?.type === "c";
  return isHiddenFromParent ? { channel: room.id } : { channel: parent.channel, topic: room.name };
}

/** Discussions of the same name get numbers, so that their messages do not mix. */
function withDistinctTopics(places: ReadonlyMap<string, Place>): Map<string, Place> {
  const counts = new Map<string, number>();
  const distinct = (place: Place): Place => {
    if (place === "visitors" || !("channel" in place) || place.topic === undefined) return place;
    const key = JSON.stringify([place.channel, place.topic.toLowerCase()]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? place : { ...place, topic: `${place.topic} (${count})` };
  };
  return new Map([...places].map(([room, place]) => [room, distinct(place)]));
}

async function readTeams(dump: Dump, rooms: ReadonlyMap<string, Room>): Promise<Map<string, string>> {
  const teams = new Map<string, string>();
  for await (const { _id, name } of dump.documents("rocketchat_team")) {
    const [id, text] = [idOf(_id), firstText(name)];
    if (id !== undefined && text !== undefined) teams.set(id, text);
  }
  for (const { teamId, name, fields } of rooms.values())
    if (teamId !== undefined && fields.teamMain === true && !teams.has(teamId)) teams.set(teamId, name);
  return teams;
}

async function readSiteUrl(dump: Dump): Promise<string | undefined> {
  for await (const { _id, value } of dump.documents("rocketchat_settings")) {
    if (_id !== "Site_Url") continue;
    return URL.canParse(asText(value)) ? asText(value).replace(/\/+$/, "") : undefined;
  }
  return undefined;
}

/** Returns a function that finds the files of a bucket. */
async function sourcesIn(files: GridFs, bucket: string): Promise<(id: string) => FileSource> {
  const has = await files.listOf(bucket);
  return (id) => (has(id) ? { gridfs: { bucket, id } } : "missing");
}

const AVATARS = "rocketchat_avatars";

/** Pictures by the ID of the person, or by `@` and the username. */
async function readPictures(dump: Dump, files: GridFs): Promise<Map<string, FileSource>> {
  const pictures = new Map<string, FileSource>();
  const sourceOf = await sourcesIn(files, AVATARS);
  for await (const { _id, userId, name } of dump.documents(AVATARS)) {
    const [id, owner, username] = [idOf(_id), idOf(userId), firstText(name)];
    const source = id === undefined ? "missing" : sourceOf(id);
    const key = owner ?? (username === undefined ? undefined : `@${username}`);
    if (key !== undefined && source !== "missing") pictures.set(key, source);
  }
  return pictures;
}

const UPLOADS = "rocketchat_uploads";

async function readUploads(
  dump: Dump,
  storedUpload: (id: string) => FileSource,
  siteUrl: string | undefined,
): Promise<ReadonlyMap<string, Upload>> {
  const uploads = new Map<string, Upload>();
  const paths = new Map<string, string[]>();
  for (const path of dump.archive.files.keys())
    addTo(paths, (path.split("/").at(-1) as string).replace(/\.[^.]*$/, ""), path);
  for await (const { _id, name, size, typeGroup } of dump.documents(UPLOADS)) {
    const id = idOf(_id);
    if (id === undefined) continue;
    const path = paths.get(id)?.[0];
    const url = siteUrl && `${siteUrl}/file-upload/${encodeURIComponent(id)}/${encodeURIComponent(asText(name))}`;
    const elsewhere: FileSource = path !== undefined ? { path } : url ? { url } : "missing";
    const stored = storedUpload(id);
    uploads.set(id, {
      name: firstText(name) ?? id,
      size: asCount(size),
      source: stored === "missing" ? elsewhere : stored,
      isPreview: typeGroup === "thumb",
    });
  }
  return uploads;
}

const EMOJI = "custom_emoji";

async function readEmoji(dump: Dump, files: GridFs): Promise<Map<string, FileSource>> {
  const emoji = new Map<string, FileSource>();
  const sourceOf = await sourcesIn(files, EMOJI);
  for await (const { name, aliases, extension } of dump.documents("rocketchat_custom_emoji")) {
    const own = firstText(name);
    if (own === undefined) continue;
    const picture = sourceOf(`${own}.${asText(extension)}`);
    for (const each of [own, ...asList(aliases)]) {
      const alias = firstText(each);
      if (alias !== undefined && !emoji.has(alias)) emoji.set(alias, picture);
    }
  }
  return emoji;
}
