import type { Archive } from "../archive.ts";
import type { ImportedEmoji, ImportedPerson, Role } from "../model.ts";
import { readElements } from "../parts.ts";
import { asList, asTime, firstText } from "../values.ts";
import { type Identity, identityIn, teamsField, teamsText } from "./teams-fields.ts";

/* The files of a Teams export, and the facts that its messages need. */

export type TeamsFileKind = "users" | "teams" | "channels" | "members" | "chats" | "messages";

/** Names of the export tool, and of collections in Microsoft Graph. */
const KINDS: readonly (readonly [RegExp, TeamsFileKind])[] = [
  [/^users(?:List)?\.json$/i, "users"],
  [/^teams(?:List|Settings)?\.json$/i, "teams"],
  [/^channels(?:_.*)?\.json$/i, "channels"],
  [/^(?:teamMembers|members)(?:_.*)?\.json$/i, "members"],
  [/^chats(?:List|_.*)?\.json$/i, "chats"],
  [/^(?:messages|replies)(?:_.*)?\.json$/i, "messages"],
];

export interface TeamsFile {
  readonly name: string;
  readonly kind: TeamsFileKind;
  /** The team or person, according to the name of the file or folder. */
  readonly ownerId: string | undefined;
  readonly isOfPerson: boolean;
}

export function teamsFiles(archive: Archive): TeamsFile[] {
  const files: TeamsFile[] = [];
  for (const name of [...archive.files.keys()].sort()) {
    const parts = name.split("/");
    const base = parts.at(-1) as string;
    const kind = KINDS.find(([pattern]) => pattern.test(base))?.[1];
    if (!kind) continue;
    const ownerId = /_([^_]+)\.json$/i.exec(base)?.[1] ?? parts.at(-2);
    files.push({ name, kind, ownerId, isOfPerson: parts.slice(0, -1).includes("users") });
  }
  return files;
}

/** The records of a file: an array, or a response of Graph with its records in `value`. */
export async function* teamsRecords(archive: Archive, name: string): AsyncGenerator<unknown> {
  for await (const record of readElements(archive, name, (await isArray(archive, name)) ? [] : ["value"])) {
    yield record;
    // Graph can put the replies into the message that begins a thread.
    yield* asList(teamsField(record, "replies"));
  }
}

async function isArray(archive: Archive, name: string): Promise<boolean> {
  for await (const piece of await archive.open(name))
    return /^(?:\xef\xbb\xbf)?\s*\[/.test((piece as Buffer).subarray(0, 1000).toString("latin1"));
  return true;
}

export interface Team {
  name: string;
  description: string;
  isPublic: boolean;
  isArchived: boolean;
  readonly memberIds: Set<string>;
  readonly ownerIds: string[];
}

export interface Channel {
  readonly teamId: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly membership: string;
  readonly isArchived: boolean;
  readonly isReadOnly: boolean;
  readonly createdAt: number | undefined;
}

export interface Chat {
  readonly memberIds: Set<string>;
  /** Files with messages of the chat. The file of each member has a copy. */
  readonly files: Set<string>;
}

/** The channel or chat of a message. */
export function placeOf(message: unknown): { channel: string | undefined; chat: string | undefined } {
  const channel = teamsText(message, "channelIdentity", "channelId");
  return { channel, chat: channel === undefined ? teamsText(message, "chatId") : undefined };
}

export const isDeleted = (message: unknown): boolean => teamsText(message, "deletedDateTime") !== undefined;

export const isNotice = (message: unknown): boolean =>
  (teamsText(message, "messageType") ?? "message") !== "message" ||
  teamsText(message, "body", "content") === "<systemEventMessage/>";

/** Subjects have a single line. Longer subjects are cut. */
export const MAX_SUBJECT = 300;

export const subjectOf = (message: unknown): string | undefined =>
  teamsText(message, "subject")?.replace(/\s+/g, " ").trim().slice(0, MAX_SUBJECT).toWellFormed() || undefined;

const isAddress = (text: string | undefined): boolean => text !== undefined && /^[^\s@#]+@[^\s@#]+$/.test(text);

/** The guest of an organization: `alice_contoso.com#EXT#@rowing.example`. */
const isGuestName = (name: string | undefined): boolean => name?.includes("#EXT#") === true;

export class TeamsSurvey {
  readonly people = new Map<string, ImportedPerson>();
  readonly teams = new Map<string, Team>();
  readonly channels = new Map<string, Channel>();
  readonly chats = new Map<string, Chat>();
  /** Authors and reactors by channel. */
  readonly active = new Map<string, Set<string>>();
  /** Messages that begin a thread or have a subject, with their subject, by channel. */
  readonly threads = new Map<string, Map<string, string | undefined>>();
  readonly emoji = new Map<string, ImportedEmoji>();

  addUser(user: unknown): void {
    const id = teamsText(user, "id");
    if (id === undefined) return;
    const principal = teamsText(user, "userPrincipalName");
    const isGuest = /^guest$/i.test(teamsText(user, "userType") ?? "") || isGuestName(principal);
    const addresses = [teamsText(user, "mail"), principal];
    this.people.set(id, {
      id,
      name: teamsText(user, "displayName") ?? principal ?? "Unknown person",
      email: addresses.find(isAddress),
      role: isGuest ? "guest" : "member",
      isBot: false,
      isActive: teamsField(user, "accountEnabled") !== false,
      joinedAt: asTime(teamsField(user, "createdDateTime")),
    });
  }

  addTeam(team: unknown): void {
    const id = teamsText(team, "groupsId") ?? teamsText(team, "id");
    if (id === undefined) return;
    const known = this.#team(id);
    known.name = teamsText(team, "displayName") ?? teamsText(team, "name") ?? known.name;
    known.description = teamsText(team, "description") ?? known.description;
    const visibility = teamsText(team, "visibility") ?? teamsText(team, "privacy");
    if (visibility !== undefined) known.isPublic = /^public$/i.test(visibility);
    known.isArchived ||= teamsField(team, "isArchived") === true;
  }

  #team(id: string): Team {
    const known = this.teams.get(id);
    if (known) return known;
    const empty = { description: "", isPublic: false, isArchived: false };
    const team: Team = { name: "", ...empty, memberIds: new Set(), ownerIds: [] };
    this.teams.set(id, team);
    return team;
  }

  addChannel(channel: unknown, teamId: string | undefined): void {
    const id = teamsText(channel, "id");
    if (id === undefined) return;
    const restriction = teamsText(channel, "moderationSettings", "userNewMessageRestriction");
    this.channels.set(id, {
      teamId,
      name: teamsText(channel, "displayName") ?? "Unknown channel",
      description: teamsText(channel, "description") ?? "",
      membership: teamsText(channel, "membershipType") ?? "standard",
      isArchived: teamsField(channel, "isArchived") === true,
      isReadOnly: restriction === "moderators",
      createdAt: asTime(teamsField(channel, "createdDateTime")),
    });
  }

  addMember(member: unknown, teamId: string | undefined): void {
    const id = teamsText(member, "userId") ?? teamsText(member, "id");
    if (id === undefined || teamId === undefined) return;
    const role = firstText(teamsField(member, "role"), ...asList(teamsField(member, "roles")))?.toLowerCase();
    const team = this.#team(teamId);
    team.memberIds.add(id);
    if (role === "owner") team.ownerIds.push(id);
    const addresses = [teamsText(member, "email"), teamsText(member, "userName")];
    const isGuest = role === "guest" || addresses.some(isGuestName);
    const known = this.people.get(id);
    this.people.set(id, {
      id,
      name: teamsText(member, "name") ?? teamsText(member, "displayName") ?? "Unknown person",
      email: addresses.find(isAddress),
      isBot: false,
      isActive: true,
      ...known,
      role: isGuest ? "guest" : (known?.role ?? "member"),
    });
  }

  addChat(chat: unknown): void {
    const id = teamsText(chat, "id");
    if (id === undefined) return;
    const known = this.#chat(id);
    for (const member of asList(teamsField(chat, "members"))) {
      const userId = teamsText(member, "userId");
      if (userId === undefined) continue;
      known.memberIds.add(userId);
      this.#meet({ id: userId, name: teamsText(member, "displayName"), isBot: false, isOutside: false });
    }
  }

  /** The ID of a chat of two people contains their IDs. */
  #chat(id: string): Chat {
    const known = this.chats.get(id);
    if (known) return known;
    const [, first, second] = /^19:([^_:@]+)_([^_:@]+)@unq\.gbl\.spaces$/.exec(id) ?? [];
    const memberIds = new Set([first, second].filter((each) => each !== undefined));
    for (const memberId of memberIds) this.#meet({ id: memberId, name: undefined, isBot: false, isOutside: false });
    const chat: Chat = { memberIds, files: new Set() };
    this.chats.set(id, chat);
    return chat;
  }

  /** People in messages are not always in a list: they left, are apps, or belong to other organizations. */
  #meet({ id, name, isBot, isOutside }: Identity): void {
    const known = this.people.get(id);
    if (known && (known.name !== "Unknown person" || name === undefined)) return;
    const role: Role = isOutside ? "guest" : "member";
    if (known) this.people.set(id, { ...known, name: name ?? known.name, isBot });
    else this.people.set(id, { id, name: name ?? "Unknown person", role, isBot, isActive: isBot });
  }

  addMessage(message: unknown, file: TeamsFile): void {
    const { channel, chat } = placeOf(message);
    const id = teamsText(message, "id");
    if (id === undefined || (channel === undefined && chat === undefined)) return;
    const people = this.#peopleIn(message);
    for (const reaction of asList(teamsField(message, "reactions"))) this.#addEmoji(reaction);
    if (chat !== undefined) {
      const known = this.#chat(chat);
      known.files.add(file.name);
      if (chat.endsWith("@unq.gbl.spaces") && known.memberIds.size >= 2) return;
      if (file.isOfPerson && file.ownerId !== undefined) {
        this.#meet({ id: file.ownerId, name: undefined, isBot: false, isOutside: false });
        people.push(file.ownerId);
      }
      for (const person of people) known.memberIds.add(person);
    } else if (channel !== undefined) this.#addToChannel(message, { channel, id, people, file });
  }

  #addToChannel(
    message: unknown,
    { channel, id, people, file }: { channel: string; id: string; people: readonly string[]; file: TeamsFile },
  ): void {
    if (!this.channels.has(channel)) {
      const teamId = teamsText(message, "channelIdentity", "teamId") ?? file.ownerId;
      // Unlisted channels were deleted, and the export does not say who could read them.
      const name = { displayName: "Unknown channel", membershipType: "private", isArchived: true };
      this.addChannel({ id: channel, ...name }, teamId);
    }
    const active = this.active.get(channel) ?? new Set();
    this.active.set(channel, active);
    for (const person of people) active.add(person);
    if (isNotice(message)) return;
    const threads = this.threads.get(channel) ?? new Map<string, string | undefined>();
    this.threads.set(channel, threads);
    const rootId = teamsText(message, "replyToId");
    const subject = rootId === undefined ? subjectOf(message) : undefined;
    if (subject !== undefined) threads.set(id, subject);
    else if (rootId !== undefined && !threads.has(rootId)) threads.set(rootId, undefined);
  }

  /** Returns the author and the reactors. Also records people who are only mentioned. */
  #peopleIn(message: unknown): string[] {
    const author = identityIn(teamsField(message, "from"));
    const reactors = asList(teamsField(message, "reactions")).map((each) => identityIn(teamsField(each, "user")));
    const mentioned = asList(teamsField(message, "mentions")).map((each) => identityIn(teamsField(each, "mentioned")));
    for (const identity of [author, ...reactors, ...mentioned]) if (identity) this.#meet(identity);
    if (!author && !isNotice(message) && !isDeleted(message)) this.#meet(UNKNOWN);
    return [author, ...reactors].flatMap((identity) => (identity ? [identity.id] : []));
  }

  #addEmoji(reaction: unknown): void {
    const name = customEmojiIn(reaction);
    const url = teamsText(reaction, "reactionContentUrl");
    if (name !== undefined && url !== undefined && URL.canParse(url)) this.emoji.set(name, { name, picture: { url } });
  }
}

/** The author of messages without an author, such as messages of deleted apps. */
export const UNKNOWN: Identity = { id: "unknown", name: "Unknown person", isBot: false, isOutside: false };

/** The name of an organization's own emoji in a reaction. */
export function customEmojiIn(reaction: unknown): string | undefined {
  if (teamsText(reaction, "reactionType") !== "custom") return undefined;
  const name = teamsText(reaction, "displayName")?.toLowerCase() ?? "";
  return name.replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "") || undefined;
}
