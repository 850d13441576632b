import { problem } from "../../errors.ts";
import { type Archive, NotAnExport, safeName } from "../archive.ts";
import { type Block, toText } from "../document.ts";
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
  type Text,
} from "../model.ts";
import { emojiNamed, groupedReactions } from "../reactions.ts";
import { Strangers } from "../strangers.ts";
import { isPlain } from "../texts.ts";
import { addTo, asFields, asText, asTime, type Fields, fieldsIn, firstText, parsedJson, textsIn } from "../values.ts";
import { attachmentBlocks } from "./attachments.ts";
import { type Channel, channelId, exportFile, idOf, isSet, linesOf, MattermostIndex } from "./mattermost-index.ts";
import { type MattermostNames, parseMattermost } from "./mattermost-markup.ts";

/* Bulk exports of Mattermost: a file with an object in each line, alone or with its attachments in a folder `data`. */

export const isMattermost = async (archive: Archive): Promise<boolean> => (await exportFile(archive)) !== undefined;

export const mattermostReader = (archive: Archive): ExportReader => lazyReader(archive, () => loadExport(archive));

async function loadExport(archive: Archive): Promise<MattermostExport> {
  const file = await exportFile(archive);
  if (!file) throw new NotAnExport(problem("import_part_missing", { name: "import.jsonl" }));
  return new MattermostExport(archive, file.name, await MattermostIndex.of(archive, file));
}

const POSTS = new Set(["post", "direct_post"]);

/** Descriptions have no references. */
const NO_NAMES: MattermostNames = { mention: () => undefined, channel: () => undefined };

/** New members join these channels of each team. */
const DEFAULT_CHANNELS = new Set(["town-square", "off-topic"]);
const EVERYONE = new Set(["all", "channel", "here"]);

class MattermostExport {
  readonly #archive: Archive;
  readonly #file: string;
  readonly #index: MattermostIndex;
  readonly #strangers: Strangers;
  readonly #channelsByName = new Map<string, string[]>();
  /** A complete reading of the messages, which finds strangers and places. */
  #scan: Promise<void> | undefined;

  constructor(archive: Archive, file: string, index: MattermostIndex) {
    this.#archive = archive;
    this.#file = file;
    this.#index = index;
    this.#strangers = new Strangers((id) => index.people.has(id));
    for (const [id, { name }] of index.channels) addTo(this.#channelsByName, name, id);
    for (const members of index.conversations.values()) for (const id of members) this.#strangers.meet(id);
  }

  /** Reads all messages to find the people and places that are only in messages. */
  async #find(): Promise<void> {
    this.#scan ??= (async () => {
      // Texts can only mention listed people, so this does not parse them.
      for await (const _ of this.#posts(new LeftOut(), () => []));
    })();
    await this.#scan;
  }

  async *people(): AsyncGenerator<ImportedPerson> {
    await this.#find();
    for (const person of this.#index.people.values()) {
      const path = this.#index.pictures.get(person.id);
      yield path === undefined ? person : { ...person, picture: this.#source(path) };
    }
    yield* this.#strangers.all();
  }

  async *channels(): AsyncGenerator<ImportedChannel> {
    await this.#find();
    for (const [id, channel] of this.#index.channels) yield this.#channel(id, channel);
  }

  #channel(id: string, { team, name, fields = {}, memberIds }: Channel): ImportedChannel {
    const description = firstText(fields.purpose, fields.header) ?? "";
    return {
      id,
      name: firstText(fields.display_name) ?? name,
      description: toText(parseMattermost(description, NO_NAMES)).join(""),
      // An unlisted channel is private to the people who wrote in it.
      isPrivate: fields.type !== "O",
      isArchived: isSet(fields.deleted_at),
      isDefault: DEFAULT_CHANNELS.has(name),
      isReadOnly: false,
      folder: this.#index.teams.size > 1 ? this.#folderOf(team) : undefined,
      memberIds: [...memberIds],
    };
  }

  /** Display names of teams are not unique. */
  #folderOf(team: string): string {
    const name = this.#index.teams.get(team) ?? team;
    const isUnique = [...this.#index.teams.values()].filter((each) => each === name).length <= 1;
    return isUnique ? name : `${name} (${team})`;
  }

  async *conversations(): AsyncGenerator<ImportedConversation> {
    await this.#find();
    for (const [id, memberIds] of this.#index.conversations) yield { id, memberIds };
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
    leftOut.add("unreadable records", this.#index.unreadable);
    yield* this.#posts(leftOut, (post, team) => this.#textOf(post, team, leftOut));
  }

  async *#posts(leftOut: LeftOut, textOf: ReadText): AsyncGenerator<ImportedMessage> {
    for await (const { number, fields } of linesOf(this.#archive, this.#file, POSTS)) {
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
      const id = this.#index.conversation(members);
      for (const member of this.#index.conversations.get(id) as string[]) this.#strangers.meet(member);
      return { id, team: undefined, channel: undefined };
    }
    const [team, name] = [idOf(fields.team), idOf(fields.channel)];
    if (name === "") return undefined;
    return { id: channelId(team, name), team, channel: this.#index.channel(team, name) };
  }

  #message(
    post: Fields,
    { id, place }: { id: string; place: Place },
    leftOut: LeftOut,
    textOf: ReadText,
  ): ImportedMessage | undefined {
    const sentAt = asTime(post.create_at);
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
      editedAt: asTime(post.edit_at),
      text,
      files: this.#files(post, id),
      reactions: this.#reactions(post.reactions),
      pinnedBy: post.is_pinned === true ? [] : undefined,
      starredBy: textsIn(post.flagged_by).map((name) => this.#strangers.meet(idOf(name))),
    };
    return text.length > 0 || message.files.length > 0 ? message : void leftOut.add("empty messages");
  }

  /** In old exports, notices have no type. */
  #isNotice({ type, message }: Fields, user: string): boolean {
    if (asText(type) !== "") return asText(type).startsWith("system_");
    const [, joined, added] = NOTICE.exec(asText(message)) ?? [];
    return joined === user || (added !== undefined && this.#index.people.has(added));
  }

  /** An integration can override the name of its owner. */
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
    const more = attachments.flatMap((attachment) => attachmentBlocks(attachment, { parse, leftOut }));
    return toText([...parse(text), ...more], { isMe });
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
    const given = fieldsIn(value).flatMap((reaction) => {
      const [emoji, user] = [emojiNamed(asText(reaction.emoji_name)), idOf(reaction.user)];
      return emoji && user !== "" ? { emoji, personId: this.#strangers.meet(user) } : [];
    });
    return groupedReactions(given);
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

/** Most posts have none, and an attempt to parse them costs more than the rest of the post. */
const propsOf = ({ props }: Fields): Fields =>
  asFields(props) ?? (asText(props) === "" ? undefined : asFields(parsedJson(asText(props)))) ?? {};
