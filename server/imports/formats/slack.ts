import { type Archive, type FetchedFiles, openFileOf } from "../archive.ts";
import { type Block, type Inline, isPlain, markdownOf } from "../blocks.ts";
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
  type Reference,
  type Role,
  type Text,
} from "../model.ts";
import { readJson } from "../parts.ts";
import { Strangers } from "../strangers.ts";
import { asCount, asFields, asList, asText, type Fields, fieldsIn, firstText, textsIn } from "../values.ts";
import { readAttachments, readBlocks, type SlackTexts } from "./slack-blocks.ts";
import { parseMrkdwn, secondsToTime } from "./slack-markup.ts";
import { dayOf, readDay, type SlackLayout, type SlackPlace, slackLayout, slackRoot } from "./slack-places.ts";

/* Exports of Slack: public, full, of one person, and of an organization with several workspaces. */

export const isSlack = async (archive: Archive): Promise<boolean> => slackRoot(archive) !== undefined;

/** `fetched`: an export has only the URLs of files. */
export function slackReader(archive: Archive, fetched?: FetchedFiles): ExportReader {
  let loading: Promise<SlackExport> | undefined;
  const load = () => {
    loading ??= loadExport(archive);
    return loading;
  };
  return {
    openFile: openFileOf(archive, fetched),
    people: async function* () {
      yield* (await load()).people();
    },
    channels: async function* () {
      yield* (await load()).channels();
    },
    conversations: async function* () {
      yield* (await load()).conversations();
    },
    // An export has the names of custom emoji only.
    emoji: async function* (): AsyncGenerator<ImportedEmoji> {},
    messages: async function* (leftOut) {
      yield* (await load()).messages(leftOut);
    },
  };
}

async function loadExport(archive: Archive): Promise<SlackExport> {
  const layout = await slackLayout(archive, slackRoot(archive) ?? "");
  const directory: Directory = { names: new Map(), usernames: new Map(), bots: new Map() };
  for (const file of layout.peopleFiles) {
    for (const user of fieldsIn(await readJson(archive, file))) {
      const id = asText(user.id);
      const profile = asFields(user.profile) ?? {};
      if (id === "" || directory.names.has(id)) continue;
      directory.names.set(id, nameOf(user, profile) ?? id);
      directory.usernames.set(asText(user.name), id);
      if (asText(profile.bot_id) !== "") directory.bots.set(asText(profile.bot_id), id);
    }
  }
  return new SlackExport(archive, layout, directory);
}

interface Directory {
  /** Visible names, by ID. */
  names: Map<string, string>;
  /** IDs by short name. */
  usernames: Map<string, string>;
  /** IDs of bot users, by the ID of their bot. */
  bots: Map<string, string>;
}

const nameOf = (user: Fields, profile: Fields): string | undefined =>
  firstText(profile.real_name, user.real_name, profile.display_name, user.name, profile.name);

const BUILT_IN_BOT = "USLACKBOT";
const UNKNOWN = "unknown";

const web = (value: unknown): FileSource | undefined => {
  const url = asText(value);
  return /^https:\/\//i.test(url) ? { url } : undefined;
};

class SlackExport {
  readonly #archive: Archive;
  readonly #layout: SlackLayout;
  readonly #directory: Directory;
  readonly #strangers: Strangers;
  readonly #places: ReadonlyMap<string, SlackPlace>;
  /** A complete reading of the messages, which finds strangers. */
  #scan: Promise<void> | undefined;

  constructor(archive: Archive, layout: SlackLayout, directory: Directory) {
    this.#archive = archive;
    this.#layout = layout;
    this.#directory = directory;
    this.#strangers = new Strangers((id) => directory.names.has(id));
    this.#places = new Map(layout.places.map((place) => [place.id, place]));
    for (const place of layout.places) {
      if (place.kind === "conversation" && place.memberIds.size === 0) this.#addNamedMembers(place);
      for (const id of place.memberIds) this.#person(id);
      if (asText(place.fields.creator) !== "") this.#person(asText(place.fields.creator));
      for (const people of place.pins.values()) for (const id of people) this.#person(id);
    }
  }

  /** The name of a group conversation, `mpdm-ann--bob-1`, has its members. */
  #addNamedMembers({ name, memberIds }: SlackPlace): void {
    for (const username of /^mpdm-(.+)-\d+$/.exec(name)?.[1]?.split("--") ?? []) {
      const id = this.#directory.usernames.get(username);
      if (id !== undefined) memberIds.add(id);
    }
  }

  #person(id: string, name?: string, picture?: FileSource): string {
    if (id === BUILT_IN_BOT) return this.#strangers.meet(id, { name: "Slackbot", isBot: true });
    return this.#strangers.meet(id, { name, picture });
  }

  async *people(): AsyncGenerator<ImportedPerson> {
    this.#scan ??= this.#findStrangers();
    await this.#scan;
    const seen = new Set<string>();
    for (const file of this.#layout.peopleFiles) {
      for (const user of fieldsIn(await readJson(this.#archive, file))) {
        const id = asText(user.id);
        if (id === "" || seen.has(id)) continue;
        seen.add(id);
        yield this.#listedPerson(id, user);
      }
    }
    yield* this.#strangers.all();
  }

  async #findStrangers(): Promise<void> {
    // The texts name people, but nobody reads them.
    for await (const _ of this.#read(new LeftOut(), () => []));
  }

  #listedPerson(id: string, user: Fields): ImportedPerson {
    const profile = asFields(user.profile) ?? {};
    return {
      id,
      name: nameOf(user, profile) ?? id,
      username: firstText(user.name),
      email: firstText(profile.email, user.email),
      role: roleOf(user),
      isBot: user.is_bot === true || id === BUILT_IN_BOT,
      isActive: user.deleted !== true,
      timezone: firstText(user.tz),
      picture: this.#pictureOf(id, profile),
    };
  }

  #pictureOf(id: string, profile: Fields): FileSource | undefined {
    const path = this.#layout.avatars.get(id);
    if (path !== undefined) return { path };
    const url = firstText(profile.image_original, profile.image_512, profile.image_192, profile.image_72);
    // Gravatar serves a generated picture for people without one.
    return url === undefined || /^https:\/\/[\w.]*gravatar\.com\//.test(url) ? undefined : web(url);
  }

  *channels(): Generator<ImportedChannel> {
    const hasWorkspaces = new Set(this.#layout.places.map(({ workspace }) => workspace)).size > 1;
    for (const { id, kind, name, fields, isPrivate, workspace, memberIds } of this.#layout.places) {
      if (kind !== "channel") continue;
      yield {
        id,
        name,
        description: this.#description(fields),
        isPrivate,
        isArchived: fields.is_archived === true,
        isDefault: fields.is_general === true,
        isReadOnly: false,
        folder: hasWorkspaces ? workspace : undefined,
        createdAt: secondsToTime(fields.created),
        creatorId: firstText(fields.creator),
        memberIds: [...memberIds],
      };
    }
  }

  #description({ purpose, topic }: Fields): string {
    const texts = [purpose, topic].map((value) => asText(asFields(value)?.value).trim()).filter((text) => text !== "");
    const blocks = [...new Set(texts)].flatMap((text) => parseMrkdwn(text, this.#texts(new LeftOut())));
    return markdownOf(blocks)
      .map((part) => (typeof part === "string" ? part : this.#referenceText(part)))
      .join("");
  }

  /** Descriptions have no references. */
  #referenceText(reference: Reference): string {
    if ("person" in reference) return `@${this.#directory.names.get(reference.person) ?? reference.person}`;
    if ("channel" in reference) return `#${this.#places.get(reference.channel)?.name ?? reference.channel}`;
    if ("group" in reference) return `@${reference.group}`;
    if ("everyone" in reference) return "@all";
    if ("file" in reference) return reference.label ?? "";
    return reference.label ?? `#${this.#places.get(reference.place)?.name ?? reference.place}`;
  }

  *conversations(): Generator<ImportedConversation> {
    for (const { id, kind, memberIds } of this.#layout.places)
      if (kind === "conversation") yield { id, memberIds: [...memberIds] };
  }

  messages(leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    return this.#read(leftOut, markdownOf);
  }

  async *#read(leftOut: LeftOut, write: typeof markdownOf): AsyncGenerator<ImportedMessage> {
    if (this.#layout.unreadable > 0) leftOut.add("unreadable records", this.#layout.unreadable);
    const names = this.#texts(leftOut);
    for (const place of this.#layout.places) {
      let [day, seen, seenBefore] = ["", new Set<string>(), new Set<string>()];
      for (const file of place.days) {
        if (dayOf(file) !== day) [day, seen, seenBefore] = [dayOf(file), new Set(), seen];
        for (const record of await readDay(this.#archive, file)) {
          const message = this.#message(place, record, names, write);
          // Workspaces repeat the messages of a channel that they share.
          if (!message || seen.has(message.id) || seenBefore.has(message.id)) continue;
          seen.add(message.id);
          yield message;
        }
      }
      yield* this.#canvases(place, names);
    }
    const loose = asList(await readJson(this.#archive, `${this.#layout.root}canvases.json`)).length;
    if (loose > 0) leftOut.add("canvases", loose);
    this.#scan ??= Promise.resolve();
  }

  /** The document of a channel or conversation, as a message with a file. */
  async *#canvases(place: SlackPlace, { count }: SlackTexts): AsyncGenerator<ImportedMessage> {
    const folders = new Set(place.days.map((name) => name.slice(0, -"2000-01-01.json".length)));
    for (const folder of folders) {
      const value = await readJson(this.#archive, `${folder}canvas_in_the_conversation.json`);
      if (value === undefined) continue;
      for (const canvas of [value].flat()) {
        const fields = asFields(canvas);
        const sentAt = secondsToTime(fields?.created);
        const file = fields && this.#file({ filetype: "canvas", ...fields }, asText(fields.id));
        if (!file || file === "deleted" || !("source" in file) || sentAt === undefined) {
          count("unreadable records");
          continue;
        }
        const senderId = this.#person(firstText(fields.user, fields.creator) ?? UNKNOWN);
        const rest = { text: [], reactions: [], starredBy: [] };
        yield { id: `canvas-${file.id}`, place: place.id, senderId, sentAt, files: [file], ...rest };
      }
    }
  }

  #texts(leftOut: LeftOut): SlackTexts {
    return {
      person: (id, label) => ({ person: this.#person(id, label) }),
      channel: (id) => (this.#places.get(id)?.kind === "channel" ? { channel: id } : undefined),
      isPlace: (id) => this.#places.has(id),
      count: (kind, count = 1) => {
        if (count > 0) leftOut.add(kind, count);
      },
    };
  }

  #message(
    place: SlackPlace,
    record: unknown,
    names: SlackTexts,
    write: typeof markdownOf,
  ): ImportedMessage | undefined {
    const message = asFields(record);
    const id = message && timestampOf(message.ts);
    const sentAt = secondsToTime(id);
    if (!message || id === undefined || sentAt === undefined) {
      names.count("unreadable records");
      return undefined;
    }
    const reason = reasonToLeaveOut(message);
    if (reason !== undefined) {
      names.count(reason);
      return undefined;
    }
    const { files, links, deleted } = this.#files(message, id);
    const text = textOfMessage(message, links, names, write);
    const imported = {
      id,
      place: place.id,
      threadId: place.kind === "channel" ? timestampOf(message.thread_ts) : undefined,
      senderId: this.#senderOf(message),
      sentAt,
      editedAt: secondsToTime(asFields(message.edited)?.ts),
      text,
      files,
      reactions: this.#reactions(message.reactions),
      pinnedBy: this.#pinnedBy(place, id, message),
      starredBy: [],
    };
    if (text.length > 0 || files.length > 0) return imported;
    names.count(deleted > 0 ? "deleted messages" : "empty messages");
    return undefined;
  }

  #senderOf(message: Fields): string {
    const profile = asFields(message.user_profile) ?? {};
    const id = firstText(authorOf(message), message.user);
    if (id !== undefined) return this.#person(id, nameOf(profile, profile), web(profile.image_72));
    const bot = firstText(message.bot_id);
    const botProfile = asFields(message.bot_profile) ?? {};
    const name = firstText(message.username);
    const picture = web(asFields(message.icons)?.image_72 ?? asFields(botProfile.icons)?.image_72);
    const user = bot === undefined ? undefined : this.#directory.bots.get(bot);
    if (user !== undefined && (name === undefined || this.#directory.names.get(user) === name)) return user;
    if (name !== undefined) return this.#strangers.meetNamed(bot ?? "webhook", name, picture);
    if (bot !== undefined) return this.#strangers.meet(bot, { name: firstText(botProfile.name), isBot: true, picture });
    const uploader = firstText(...filesOf(message).map((file) => file.user));
    return uploader === undefined ? this.#strangers.meet(UNKNOWN, { name: "Unknown" }) : this.#person(uploader);
  }

  #files(message: Fields, messageId: string): { files: ImportedFile[]; links: Inline[]; deleted: number } {
    const result = { files: [] as ImportedFile[], links: [] as Inline[], deleted: 0 };
    for (const [index, fields] of filesOf(message).entries()) {
      const file = this.#file(fields, `${messageId}-${index}`);
      if (file === "deleted") result.deleted++;
      else if ("source" in file) result.files.push(file);
      else result.links.push(file);
    }
    return result;
  }

  /** A file, a link to a file of another service, or a deleted file. */
  #file(fields: Fields, idWithout: string): ImportedFile | Inline | "deleted" {
    if (fields.mode === "tombstone") return "deleted";
    const id = firstText(fields.id) ?? idWithout;
    const isCanvas = fields.filetype === "quip" || fields.filetype === "canvas";
    const title = firstText(fields.title);
    const name = isCanvas ? `${title ?? "Canvas"}.html` : (firstText(fields.name) ?? title ?? id);
    const file = { id, name, size: asCount(fields.size) };
    const path = this.#layout.uploads.get(id);
    if (path !== undefined) return { ...file, size: this.#archive.files.get(path), source: { path } };
    const url = firstText(fields.url_private_download, fields.url_private);
    const isExternal = fields.is_external === true || fields.mode === "external";
    const isHidden = [fields.mode, fields.file_access].some((value) => HIDDEN.has(asText(value)));
    if (url === undefined || isHidden) return { ...file, source: "missing" };
    if (!isExternal && OF_SLACK.test(url)) return { ...file, source: { url } };
    const target = firstText(fields.external_url, url) as string;
    return { url: target, label: [{ text: title ?? name }] };
  }

  #reactions(value: unknown): ImportedReaction[] {
    const found = new Map<string, { emoji: ImportedReaction["emoji"]; people: Set<string> }>();
    for (const reaction of fieldsIn(value)) {
      const name = asText(reaction.name);
      const character = emojiCharacter(name);
      const custom = name.split("::")[0] as string;
      if (custom === "") continue;
      const emoji = character === undefined ? { name: custom } : { character };
      const key = character ?? `:${custom}`;
      const people = found.get(key)?.people ?? new Set();
      for (const id of textsIn(reaction.users)) people.add(this.#person(id));
      if (people.size > 0) found.set(key, { emoji, people });
    }
    return [...found.values()].map(({ emoji, people }) => ({ emoji, personIds: [...people] }));
  }

  #pinnedBy(place: SlackPlace, id: string, message: Fields): string[] | undefined {
    const pinned = place.pins.get(id);
    if (pinned) return [...pinned];
    if (!textsIn(message.pinned_to).includes(place.id)) return undefined;
    const person = firstText(asFields(message.pinned_info)?.pinned_by);
    return person === undefined ? [] : [this.#person(person)];
  }
}

function roleOf(user: Fields): Role {
  if (user.is_owner === true || user.is_primary_owner === true) return "owner";
  if (user.is_admin === true) return "administrator";
  return user.is_restricted === true || user.is_ultra_restricted === true ? "guest" : "member";
}

/** The ID of a message: seconds with six decimals. Some tools write it as a number. */
function timestampOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? value.toFixed(6) : asText(value);
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(text) ? text : undefined;
}

/** Notices of channels, also with `group_` for private ones. */
const NOTICES_OF_CHANNEL =
  /^(?:channel|group)_(?:join|leave|name|topic|purpose|archive|unarchive|convert_to_private|convert_to_public|posting_permissions|canvas_updated)$/;
const NOTICES = new Set([
  "app_conversation_join",
  "app_conversation_leave",
  "bot_disable",
  "bot_enable",
  "bot_remove",
  "joiner_notification",
  "joiner_notification_for_inviter",
  "pinned_item",
  "reminder_add",
  "reminder_delete",
  "unpinned_item",
]);
/** The person who renamed a channel, in old exports. */
const NOBODY = "U00";

function reasonToLeaveOut({ type, subtype, user }: Fields) {
  const name = asText(subtype);
  if (name === "tombstone" || name === "message_deleted") return "deleted messages";
  if (name === "ekm_access_denied") return "encrypted messages";
  const isNotice = NOTICES.has(name) || NOTICES_OF_CHANNEL.test(name) || user === NOBODY;
  return isNotice || (type !== undefined && type !== "message") ? "notices" : undefined;
}

/** Actions of their sender. */
const ACTIONS = new Set(["me_message", "bot_add", "sh_room_created", "huddle_thread"]);

/** The sender, if it is not the message's `user`. */
function authorOf({ subtype, room, comment }: Fields): unknown {
  if (subtype === "huddle_thread") return asFields(room)?.created_by;
  return subtype === "file_comment" ? asFields(comment)?.user : undefined;
}

/** Files that Slack does not serve. */
const HIDDEN = new Set(["hidden_by_limit", "file_not_found", "access_denied"]);
const OF_SLACK = /^https:\/\/(?:[\w-]+\.)*(?:slack|slack-files|slack-edge)\.com\//i;

/** Older exports have one file in `file`. A shared message has the files of the original. */
function filesOf({ files, file, attachments }: Fields): Fields[] {
  const shared = fieldsIn(attachments).filter(({ is_share }) => is_share === true);
  const all = [...fieldsIn(files), ...fieldsIn([file]), ...shared.flatMap((attachment) => fieldsIn(attachment.files))];
  const ids = new Set<string>();
  return all.filter(({ id }) => {
    const isNew = !ids.has(asText(id)) || asText(id) === "";
    ids.add(asText(id));
    return isNew;
  });
}

/** Slack's own words around the comment of a file, in old exports. */
const UPLOAD_NOTICE = /^<@[^>]+> (?:uploaded|shared) a file: <[^>]+>(?: and commented: )?/;

function textOfMessage(message: Fields, links: readonly Inline[], names: SlackTexts, write: typeof markdownOf): Text {
  const text =
    message.subtype === "file_share" ? asText(message.text).replace(UPLOAD_NOTICE, "") : asText(message.text);
  const attachments = readAttachments(message.attachments, text, names);
  const fromBlocks = readBlocks(message.blocks, names);
  const hasBlocks = fromBlocks !== undefined && fromBlocks.length > 0;
  const hasMore = hasBlocks || attachments.length > 0 || links.length > 0;
  const isMe = ACTIONS.has(asText(message.subtype));
  if (!hasMore && !isMe && isPlain(text)) return [text];
  const huddle: Block[] = [{ paragraph: [{ text: "started a huddle" }] }];
  const own = message.subtype === "huddle_thread" ? huddle : hasBlocks ? fromBlocks : parseMrkdwn(text, names);
  return write([...own, ...attachments, ...links.map((link) => ({ paragraph: [link] }))], { isMe });
}
