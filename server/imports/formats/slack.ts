import { type Archive, type FetchedFiles, openFileOf } from "../archive.ts";
import { type Block, linkOrUrl, paragraph, text, toText } from "../document.ts";
import { lazyReader } from "../lazy-reader.ts";
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
  type Text,
} from "../model.ts";
import { readJson } from "../parts.ts";
import { emojiNamed, groupedReactions } from "../reactions.ts";
import { Strangers } from "../strangers.ts";
import { isPlain } from "../texts.ts";
import {
  asCount,
  asFields,
  asList,
  asText,
  type Fields,
  fieldsIn,
  fieldsOf,
  firstText,
  secondsToTime,
  textsIn,
} from "../values.ts";
import { readAttachments, readBlocks, type SlackTexts } from "./slack-blocks.ts";
import { parseMrkdwn } from "./slack-markup.ts";
import { BUILT_IN_BOT, nameOf, type SlackPeople, slackPeople, web } from "./slack-people.ts";
import { dayOf, readDay, type SlackLayout, type SlackPlace, slackLayout, slackRoot } from "./slack-places.ts";

/* Exports of Slack: public, full, of a single person, and of an organization with several workspaces. */

export const isSlack = async (archive: Archive): Promise<boolean> => slackRoot(archive) !== undefined;

/** `fetched`: files that the export has only as URLs. */
export const slackReader = (archive: Archive, fetched?: FetchedFiles): ExportReader =>
  lazyReader(archive, () => loadExport(archive), openFileOf(archive, fetched));

async function loadExport(archive: Archive): Promise<SlackExport> {
  const layout = await slackLayout(archive, slackRoot(archive) ?? "");
  return new SlackExport(archive, layout, await slackPeople(archive, layout));
}

const UNKNOWN = "unknown";

class SlackExport {
  readonly #archive: Archive;
  readonly #layout: SlackLayout;
  readonly #people: SlackPeople;
  readonly #strangers: Strangers;
  readonly #places: ReadonlyMap<string, SlackPlace>;
  /** A complete reading of the messages, which finds strangers. */
  #scan: Promise<void> | undefined;

  constructor(archive: Archive, layout: SlackLayout, people: SlackPeople) {
    this.#archive = archive;
    this.#layout = layout;
    this.#people = people;
    this.#strangers = new Strangers((id) => people.listed.has(id));
    this.#places = new Map(layout.places.map((place) => [place.id, place]));
    for (const place of layout.places) {
      if (place.kind === "conversation" && place.memberIds.size === 0) this.#addNamedMembers(place);
      for (const id of place.memberIds) this.#person(id);
      if (asText(place.fields.creator) !== "") this.#person(asText(place.fields.creator));
      for (const ids of place.pins.values()) for (const id of ids) this.#person(id);
    }
  }

  /** The name of a group conversation contains its members: `mpdm-ann--bob-1`. */
  #addNamedMembers({ name, memberIds }: SlackPlace): void {
    for (const username of /^mpdm-(.+)-\d+$/.exec(name)?.[1]?.split("--") ?? []) {
      const id = this.#people.usernames.get(username);
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
    yield* this.#people.listed.values();
    yield* this.#strangers.all();
  }

  async #findStrangers(): Promise<void> {
    // Texts are parsed for the people in them, but not written.
    for await (const _ of this.#read(new LeftOut(), () => []));
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
    const texts = [purpose, topic].map((value) => asText(fieldsOf(value).value).trim()).filter((each) => each !== "");
    const blocks = [...new Set(texts)].flatMap((each) => parseMrkdwn(each, this.#texts(new LeftOut())));
    return toText(blocks)
      .map((part) => (typeof part === "string" ? part : this.#referenceText(part)))
      .join("");
  }

  /** Descriptions have no references. */
  #referenceText(reference: Reference): string {
    if ("person" in reference) return `@${this.#people.listed.get(reference.person)?.name ?? reference.person}`;
    if ("channel" in reference) return `#${this.#places.get(reference.channel)?.name ?? reference.channel}`;
    if ("group" in reference) return `@${reference.group}`;
    if ("everyone" in reference) return "@all";
    if ("file" in reference) return reference.label ?? "";
    return reference.label ?? `#${this.#places.get(reference.place)?.name ?? reference.place}`;
  }

  /** An export has only the names of custom emoji. */
  emoji(): readonly ImportedEmoji[] {
    return [];
  }

  *conversations(): Generator<ImportedConversation> {
    for (const { id, kind, memberIds } of this.#layout.places)
      if (kind === "conversation") yield { id, memberIds: [...memberIds] };
  }

  messages(leftOut: LeftOut): AsyncGenerator<ImportedMessage> {
    return this.#read(leftOut, toText);
  }

  async *#read(leftOut: LeftOut, write: typeof toText): AsyncGenerator<ImportedMessage> {
    leftOut.add("unreadable records", this.#layout.unreadable);
    const names = this.#texts(leftOut);
    for (const place of this.#layout.places) {
      let [day, seen, seenBefore] = ["", new Set<string>(), new Set<string>()];
      for (const file of place.days) {
        if (dayOf(file) !== day) [day, seen, seenBefore] = [dayOf(file), new Set(), seen];
        for (const record of await readDay(this.#archive, file)) {
          const message = this.#message(place, record, names, write);
          // Each workspace has the messages of shared channels.
          if (!message || seen.has(message.id) || seenBefore.has(message.id)) continue;
          seen.add(message.id);
          yield message;
        }
      }
      yield* this.#canvases(place, names);
    }
    const canvases = await readJson(this.#archive, `${this.#layout.root}canvases.json`);
    leftOut.add("canvases", asList(canvases).length);
    this.#scan ??= Promise.resolve();
  }

  /** The canvas of a channel or conversation, as a message with a file. */
  async *#canvases(place: SlackPlace, { leftOut }: SlackTexts): AsyncGenerator<ImportedMessage> {
    const folders = new Set(place.days.map((name) => name.slice(0, -"2000-01-01.json".length)));
    for (const folder of folders) {
      const value = await readJson(this.#archive, `${folder}canvas_in_the_conversation.json`);
      if (value === undefined) continue;
      for (const canvas of [value].flat()) {
        const fields = asFields(canvas);
        const sentAt = secondsToTime(fields?.created);
        const file = fields && this.#file({ filetype: "canvas", ...fields }, asText(fields.id));
        if (!file || file === "deleted" || !("source" in file) || sentAt === undefined) {
          leftOut.add("unreadable records");
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
      leftOut,
    };
  }

  #message(place: SlackPlace, record: unknown, names: SlackTexts, write: typeof toText): ImportedMessage | undefined {
    const message = asFields(record);
    const id = message && timestampOf(message.ts);
    const sentAt = secondsToTime(id);
    if (!message || id === undefined || sentAt === undefined) {
      names.leftOut.add("unreadable records");
      return undefined;
    }
    const reason = reasonToLeaveOut(message);
    if (reason !== undefined) {
      names.leftOut.add(reason);
      return undefined;
    }
    const { files, links, deleted } = this.#files(message, id);
    const written = textOfMessage(message, links, names, write);
    const imported = {
      id,
      place: place.id,
      threadId: place.kind === "channel" ? timestampOf(message.thread_ts) : undefined,
      senderId: this.#senderOf(message),
      sentAt,
      editedAt: secondsToTime(fieldsOf(message.edited).ts),
      text: written,
      files,
      reactions: this.#reactions(message.reactions),
      pinnedBy: this.#pinnedBy(place, id, message),
      starredBy: [],
    };
    if (written.length > 0 || files.length > 0) return imported;
    names.leftOut.add(deleted > 0 ? "deleted messages" : "empty messages");
    return undefined;
  }

  #senderOf(message: Fields): string {
    const profile = fieldsOf(message.user_profile);
    const id = firstText(authorOf(message), message.user);
    if (id !== undefined) return this.#person(id, nameOf(profile, profile), web(profile.image_72));
    const bot = firstText(message.bot_id);
    const botProfile = fieldsOf(message.bot_profile);
    const name = firstText(message.username);
    const picture = web(fieldsOf(message.icons).image_72 ?? fieldsOf(botProfile.icons).image_72);
    const user = bot === undefined ? undefined : this.#people.bots.get(bot);
    if (user !== undefined && (name === undefined || this.#people.listed.get(user)?.name === name)) return user;
    if (name !== undefined) return this.#strangers.meetNamed(bot ?? "webhook", name, picture);
    if (bot !== undefined) return this.#strangers.meet(bot, { name: firstText(botProfile.name), isBot: true, picture });
    const uploader = firstText(...filesOf(message).map((file) => file.user));
    return uploader === undefined ? this.#strangers.meet(UNKNOWN, { name: "Unknown" }) : this.#person(uploader);
  }

  #files(message: Fields, messageId: string): { files: ImportedFile[]; links: Block[]; deleted: number } {
    const result = { files: [] as ImportedFile[], links: [] as Block[], deleted: 0 };
    for (const [index, fields] of filesOf(message).entries()) {
      const file = this.#file(fields, `${messageId}-${index}`);
      if (file === "deleted") result.deleted++;
      else if ("source" in file) result.files.push(file);
      else result.links.push(file);
    }
    return result;
  }

  /** A file, a link to a file of another service, or a deleted file. */
  #file(fields: Fields, idWithout: string): ImportedFile | Block | "deleted" {
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
    return paragraph(...linkOrUrl(target, [text(title ?? name)]));
  }

  #reactions(value: unknown): ImportedReaction[] {
    const given = fieldsIn(value).flatMap(({ name, users }) => {
      const emoji = emojiNamed(asText(name));
      return emoji ? textsIn(users).map((id) => ({ emoji, personId: this.#person(id) })) : [];
    });
    return groupedReactions(given);
  }

  #pinnedBy(place: SlackPlace, id: string, message: Fields): string[] | undefined {
    const pinned = place.pins.get(id);
    if (pinned) return [...pinned];
    if (!textsIn(message.pinned_to).includes(place.id)) return undefined;
    const person = firstText(fieldsOf(message.pinned_info).pinned_by);
    return person === undefined ? [] : [this.#person(person)];
  }
}

/** The ID of a message: seconds with six decimals. Some export tools write a number. */
function timestampOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? value.toFixed(6) : asText(value);
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(text) ? text : undefined;
}

/** Notices in channels. The prefix is `group_` in private channels. */
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
/** Old exports have this user in notices about renamed channels. */
const NOBODY = "U00";

function reasonToLeaveOut({ type, subtype, user }: Fields) {
  const name = asText(subtype);
  if (name === "tombstone" || name === "message_deleted") return "deleted messages";
  if (name === "ekm_access_denied") return "encrypted messages";
  const isNotice = NOTICES.has(name) || NOTICES_OF_CHANNEL.test(name) || user === NOBODY;
  return isNotice || (type !== undefined && type !== "message") ? "notices" : undefined;
}

/** Messages that become `/me` actions. */
const ACTIONS = new Set(["me_message", "bot_add", "sh_room_created", "huddle_thread"]);

/** The sender, if it is not the message's `user`. */
function authorOf({ subtype, room, comment }: Fields): unknown {
  if (subtype === "huddle_thread") return fieldsOf(room).created_by;
  return subtype === "file_comment" ? fieldsOf(comment).user : undefined;
}

/** Files that Slack does not serve. */
const HIDDEN = new Set(["hidden_by_limit", "file_not_found", "access_denied"]);
const OF_SLACK = /^https:\/\/(?:[\w-]+\.)*(?:slack|slack-files|slack-edge)\.com\//i;

/** Older exports have a single `file`. A shared message includes the files of the original. */
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

/** Old exports have this text around the comment on a file. */
const UPLOAD_NOTICE = /^<@[^>]+> (?:uploaded|shared) a file: <[^>]+>(?: and commented: )?/;

function textOfMessage(message: Fields, links: readonly Block[], names: SlackTexts, write: typeof toText): Text {
  const content =
    message.subtype === "file_share" ? asText(message.text).replace(UPLOAD_NOTICE, "") : asText(message.text);
  const attachments = readAttachments(message.attachments, content, names);
  const fromBlocks = readBlocks(message.blocks, names);
  const hasBlocks = fromBlocks !== undefined && fromBlocks.length > 0;
  const hasMore = hasBlocks || attachments.length > 0 || links.length > 0;
  const isMe = ACTIONS.has(asText(message.subtype));
  if (!hasMore && !isMe && isPlain(content)) return [content];
  const huddle = [paragraph(text("started a huddle"))];
  const own = message.subtype === "huddle_thread" ? huddle : hasBlocks ? fromBlocks : parseMrkdwn(content, names);
  return write([...own, ...attachments, ...links], { isMe });
}
