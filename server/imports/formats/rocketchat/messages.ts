import { emojiCharacter } from "../../emoji-names.ts";
import type {
  ImportedFile,
  ImportedMessage,
  ImportedPerson,
  ImportedReaction,
  LeftOut,
  Reference,
  Text,
} from "../../model.ts";
import { groupedReactions } from "../../reactions.ts";
import { fenced, isBlank, joined, separated } from "../../texts.ts";
import {
  asCount,
  asList,
  asText,
  asTime,
  type Fields,
  fieldsIn,
  fieldsOf,
  firstText,
  textsIn,
  unique,
} from "../../values.ts";
import { type Directory, personId, personNamed, type Room } from "./directory.ts";
import { type Dump, idOf } from "./dump.ts";
import type { Names } from "./inline.ts";
import { parseMarkup } from "./markup.ts";

export async function* readMessages(
  dump: Dump,
  directory: Directory,
  leftOut: LeftOut,
): AsyncGenerator<ImportedMessage> {
  for (const place of directory.places.values()) if (place === "visitors") leftOut.add("conversations of visitors");
  for await (const batch of dump.batches("rocketchat_message"))
    for (const fields of batch) {
      const message = new MessageReader(fields, directory, leftOut).message();
      if (message) yield message;
    }
  for (const count of dump.unreadable.values()) leftOut.add("unreadable records", count);
}

/** Quotes can contain quotes. */
const MAX_QUOTE_DEPTH = 5;

/** Reads a document of the messages collection. */
class MessageReader {
  readonly #fields: Fields;
  readonly #directory: Directory;
  readonly #leftOut: LeftOut;
  readonly #names: Names;

  constructor(fields: Fields, directory: Directory, leftOut: LeftOut) {
    this.#fields = fields;
    this.#directory = directory;
    this.#leftOut = leftOut;
    this.#names = namesOf(fields, directory);
  }

  message(): ImportedMessage | undefined {
    const { _id, rid, ts } = this.#fields;
    const [id, room, sentAt] = [idOf(_id), idOf(rid), asTime(ts)];
    const place = room === undefined ? undefined : this.#directory.places.get(room);
    const isOfVisitor = place === "visitors" || (place === undefined && this.#fields.token !== undefined);
    if (isOfVisitor || this.#isLeftOut()) return undefined;
    if (id === undefined || place === undefined || sentAt === undefined) return this.#unreadable();
    if ("conversation" in place && place.people.length === 0) return this.#unreadable();
    const [text, files] = [this.#text(), this.#files()];
    if (isBlank(text) && files.length === 0) {
      this.#leftOut.add("empty messages");
      return undefined;
    }
    return {
      id,
      place: "channel" in place ? place.channel : place.conversation,
      ...("channel" in place ? { threadId: this.#threadId(id), topic: place.topic } : {}),
      senderId: this.#senderId(),
      sentAt,
      editedAt: asTime(this.#fields.editedAt),
      text,
      files,
      reactions: this.#reactions(),
      pinnedBy: this.#pinnedBy(),
      starredBy: this.#ids(asList(this.#fields.starred)),
    };
  }

  #isLeftOut(): boolean {
    const { _hidden, parent, t } = this.#fields;
    if (_hidden === true) this.#leftOut.add(parent === undefined ? "deleted messages" : "earlier versions");
    else if (t === "e2e") this.#leftOut.add("encrypted messages");
    else if (t === "rm") this.#leftOut.add("deleted messages");
    else if (asText(t) !== "") this.#leftOut.add("notices");
    else return false;
    return true;
  }

  #unreadable(): undefined {
    this.#leftOut.add("unreadable records");
  }

  #threadId(id: string): string | undefined {
    const { tmid, tcount, replies } = this.#fields;
    const isFirst = (asCount(tcount) ?? 0) > 0 || asList(replies).length > 0;
    return idOf(tmid) ?? (isFirst ? id : undefined);
  }

  /** Integrations share an account, so each of their names becomes a person. */
  #senderId(): string {
    const id = personId(this.#directory, this.#fields.u) ?? "?";
    const alias = this.#isByBot(id) ? this.#alias(id) : undefined;
    const { strangers } = this.#directory;
    return alias === undefined ? strangers.meet(id) : strangers.meetNamed(id, alias);
  }

  #alias(senderId: string): string | undefined {
    const alias = firstText(this.#fields.alias);
    const { name, username } = fieldsOf(this.#fields.u);
    const sender: ImportedPerson | undefined = this.#directory.people.get(senderId);
    return [name, username, sender?.name, sender?.username].includes(alias) ? undefined : alias;
  }

  #isByBot(senderId: string): boolean {
    return Boolean(this.#fields.bot) || this.#directory.people.get(senderId)?.isBot === true;
  }

  #ids(people: readonly unknown[]): string[] {
    return unique(people.map((person) => personId(this.#directory, person)).filter((id) => id !== undefined));
  }

  #pinnedBy(): string[] | undefined {
    return this.#fields.pinned === true ? this.#ids([this.#fields.pinnedBy]) : undefined;
  }

  #reactions(): ImportedReaction[] {
    const given = Object.entries(fieldsOf(this.#fields.reactions)).flatMap(([key, value]) => {
      const usernames = textsIn(fieldsOf(value).usernames);
      const emoji = this.#emojiNamed(key.replace(/^:|:$/g, ""));
      if (!emoji && usernames.length > 0) this.#leftOut.add("reactions of unknown emoji");
      return emoji ? usernames.map((name) => ({ emoji, personId: personNamed(this.#directory, name) })) : [];
    });
    return groupedReactions(given);
  }

  #emojiNamed(name: string): ImportedReaction["emoji"] | undefined {
    if (this.#directory.emoji.has(name)) return { name };
    const character = emojiCharacter(name, "joypixels");
    return character === undefined ? undefined : { character };
  }

  #text(): Text {
    const { msg, attachments, blocks, location, urls } = this.#fields;
    const all = fieldsIn(attachments);
    const quotes = all.filter(isQuote);
    const author = this.#authorLine();
    for (const { meta } of fieldsIn(urls))
      if (Object.keys(fieldsOf(meta)).length > 0) this.#leftOut.add("link previews");
    if (asList(blocks).length > 0) this.#leftOut.add("buttons and forms");
    const own = this.#parsed(withoutLinks(asText(msg), quotes));
    return separated(
      [
        author,
        ...quotes.map((quote) => this.#quote(quote, 0)),
        isBlank(own) ? blockTexts(blocks) : own,
        ...all.filter((attachment) => !isQuote(attachment)).map((each) => this.#attachment(each)),
        locationText(location),
      ],
      "\n",
    );
  }

  /** The alias of the sender, unless it is a separate person. */
  #authorLine(): Text {
    const id = personId(this.#directory, this.#fields.u) ?? "?";
    const alias = this.#alias(id);
    return alias === undefined || this.#senderId() !== id ? [] : [`**${plain(alias)}:**`];
  }

  #parsed(source: string): Text {
    return source.trim() === "" ? [] : parseMarkup(source.trimEnd(), this.#names);
  }

  #quote(attachment: Fields, depth: number): Text {
    const inner = fieldsIn(attachment.attachments);
    const quotes = depth < MAX_QUOTE_DEPTH ? inner.filter(isQuote) : [];
    const contents = separated(
      [
        ...quotes.map((quote) => this.#quote(quote, depth + 1)),
        this.#parsed(withoutLinks(asText(attachment.text), inner.filter(isQuote))),
        ...inner.filter((each) => !isQuote(each)).map((each) => this.#attachment(each, true)),
      ],
      "\n",
    );
    const message = this.#names.message(asText(attachment.message_link));
    const url = webUrl(attachment.message_link);
    const said: string | Reference = message ? { ...message, label: "said" } : url ? `[said](${url})` : "said";
    const author = firstText(attachment.author_name);
    const person = author === undefined ? undefined : this.#directory.idsByUsername.get(author);
    const by: Text = person !== undefined ? [{ person, silent: true }] : author ? [`**${plain(author)}**`] : [];
    return joined([...by, by.length > 0 ? " " : "", said, ":\n", ...fenced(contents, "quote")]);
  }

  /** The text of an upload or of an integration's card. */
  #attachment(attachment: Fields, isQuoted = false): Text {
    if (uploadIn(attachment) !== undefined || attachment.type === "file") {
      const caption = this.#parsed(asText(attachment.description));
      return isQuoted ? separated([[plain(asText(attachment.title))], caption], "\n") : caption;
    }
    if (asList(attachment.actions).length > 0) this.#leftOut.add("buttons and forms");
    const { pretext, author_name, author_link, title, title_link, text, description, fields } = attachment;
    return separated(
      [
        this.#parsed(asText(pretext)),
        linked(author_name, author_link),
        linked(title, title_link),
        this.#parsed(firstText(text, description) ?? ""),
        ...fieldsIn(fields).map((field) => this.#field(field)),
        ...["image_url", "video_url", "audio_url"].map((name) => webLink(attachment[name])),
      ],
      "\n",
    );
  }

  #field({ title, value }: Fields): Text {
    const name = firstText(title);
    const contents = this.#parsed(asText(value));
    return separated([name === undefined ? [] : [`**${plain(name)}:**`], contents], " ");
  }

  #files(): ImportedFile[] {
    const { file, files, attachments } = this.#fields;
    const listed = fieldsIn([file, ...asList(files)]);
    const attached = fieldsIn(attachments);
    const inText = attached.filter((each) => !isQuote(each)).map((each) => ({ _id: uploadIn(each), name: each.title }));
    const found = new Map<string, ImportedFile>();
    for (const entry of [...listed, ...inText] as Fields[]) {
      const id = idOf(entry._id);
      const isPreview = entry.typeGroup === "thumb" || this.#directory.uploads.get(id ?? "")?.isPreview;
      if (id === undefined || isPreview || found.has(id)) continue;
      found.set(id, this.#file(id, entry));
    }
    return [...found.values()];
  }

  #file(id: string, entry: Fields): ImportedFile {
    const upload = this.#directory.uploads.get(id);
    const name = firstText(upload?.name, entry.name) ?? id;
    if (upload) return { id, name, size: upload.size, source: upload.source };
    return { id, name, size: asCount(entry.size), source: this.#directory.storedUpload(id) };
  }
}

const isQuote = (attachment: Fields): boolean => asText(attachment.message_link) !== "";

/** Rocket.Chat puts an invisible link in front of the text for each quote. */
function withoutLinks(text: string, quotes: readonly Fields[]): string {
  let rest = text;
  for (const { message_link } of quotes) rest = rest.replace(`[ ](${asText(message_link)})`, "");
  return quotes.length > 0 ? rest.trimStart() : rest;
}

/** The upload that an attachment shows. */
function uploadIn(attachment: Fields): string | undefined {
  for (const key of ["title_link", "image_url", "audio_url", "video_url"]) {
    const id = /^(?:https?:\/\/[^/]+)?\/(?:file-upload|ufs\/[^/]+)\/([^/?#]+)/.exec(asText(attachment[key]))?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Removes characters that could be markup. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[*`[\]~]/g, "")
    .trim();

function linked(text: unknown, link: unknown): Text {
  const [label, url] = [firstText(text), webUrl(link)];
  if (label === undefined) return url === undefined ? [] : [url];
  return [url === undefined ? `**${plain(label)}**` : `**[${plain(label)}](${url})**`];
}

const webUrl = (value: unknown): string | undefined => {
  const url = asText(value).trim();
  return /^https?:\/\/\S+$/.test(url) ? url.replaceAll("(", "%28").replaceAll(")", "%29") : undefined;
};

const webLink = (value: unknown): Text => {
  const url = webUrl(value);
  return url === undefined ? [] : [url];
};

/** The texts of an app's form. */
const blockTexts = (blocks: unknown): Text =>
  separated(
    fieldsIn(blocks).map((block) => {
      const text = firstText(fieldsOf(block.text).text);
      return text === undefined ? [] : [text];
    }),
    "\n",
  );

function locationText(location: unknown): Text {
  const [longitude, latitude] = asList(fieldsOf(location).coordinates);
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return [];
  return [`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`];
}

/** Messages list the people and rooms that they mention, except in early versions of Rocket.Chat. */
function namesOf(fields: Fields, directory: Directory): Names {
  const { mentions, channels } = fields;
  return {
    mention: (name) => {
      if (!Array.isArray(mentions)) return personOfName(directory, name);
      const mention = fieldsIn(mentions).find(({ username, name: team }) => (username ?? team) === name);
      if (!mention) return undefined;
      if (mention._id === "all" || mention._id === "here") return { everyone: true };
      if (mention.type === "team") return { group: name };
      const person = personId(directory, mention);
      return person === undefined ? undefined : { person };
    },
    channel: (name) => {
      const listed = fieldsIn(channels);
      const id = idOf(listed.find((channel) => channel.name === name || channel.fname === name)?._id);
      const room = id === undefined ? undefined : directory.rooms.get(id);
      return linkTo(directory, Array.isArray(channels) ? room : directory.roomsBySlug.get(name));
    },
    emoji: (name) => (directory.emoji.has(name) ? `:${name}:` : emojiCharacter(name, "joypixels")),
    message: (url) => messageAt(directory, url),
  };
}

function personOfName({ idsByUsername }: Directory, name: string): Reference | undefined {
  if (name === "all" || name === "here") return { everyone: true };
  const person = idsByUsername.get(name);
  return person === undefined ? undefined : { person };
}

function linkTo({ places }: Directory, room: Room | undefined): Reference | undefined {
  const place = room && places.get(room.id);
  if (place === undefined || place === "visitors" || !("channel" in place)) return undefined;
  return place.topic === undefined ? { channel: place.channel } : { channel: place.channel, topic: place.topic };
}

/** The message of a link such as `https://chat.example.com/channel/general?msg=ID`. */
function messageAt(directory: Directory, url: string): { message: string; place: string } | undefined {
  if (!url.includes("msg=") || !URL.canParse(url)) return undefined;
  const { origin, pathname, searchParams } = new URL(url);
  if (directory.siteUrl !== undefined && new URL(directory.siteUrl).origin !== origin) return undefined;
  const slug = /\/(?:channel|group|direct)\/([^/]+)/.exec(pathname)?.[1];
  const message = searchParams.get("msg");
  const room = slug === undefined ? undefined : roomOf(directory, slug);
  const place = room && directory.places.get(room.id);
  if (!message || place === undefined || place === "visitors") return undefined;
  return { message, place: "channel" in place ? place.channel : place.conversation };
}

function roomOf({ rooms, roomsBySlug }: Directory, slug: string): Room | undefined {
  try {
    const name = decodeURIComponent(slug);
    return rooms.get(name) ?? roomsBySlug.get(name);
  } catch {
    return undefined;
  }
}
