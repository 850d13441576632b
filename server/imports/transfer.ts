import { randomInt } from "node:crypto";
import { Readable } from "node:stream";
import type { CustomEmoji, Media, NamedPerson, RenderContext } from "../markdown/context.ts";
import { EXTRA_EMOJI, emojiOfCharacters } from "../markdown/emoji.ts";
import { messageUrl, type NamedChannel } from "../markdown/urls.ts";
import { type Choices, type Counts, countsOf, type Selection, selectionOf } from "./choices.ts";
import { markdownOf, type Names, plainTextOf } from "./markdown.ts";
import type { ExportReader, FileSource, ImportedFile, ImportedMessage, ImportedPerson, Role, Text } from "./model.ts";
import type { Survey } from "./survey.ts";
import {
  type ContentOnDisk,
  type Destination,
  type ImportTarget,
  type NewImportedFile,
  type NewImportedMessage,
  type NewPerson,
  type NewReaction,
  type RenderedText,
  type Slice,
  slotFor,
} from "./target.ts";
import { Topics } from "./topics.ts";

/** Writes an export, in the order of times, to a target. */

/** Work for which the caller knows the server. */
export interface TransferTools {
  render(content: string, context: RenderContext): RenderedText;
  /** Copies a file to the disk of uploads. */
  store(source: Readable): Promise<ContentOnDisk>;
  /** The token, a valid name, and the path after `/user_uploads/`. */
  upload(name: string): { token: string; name: string; pathId: string };
  /** `media`: the preview in messages. */
  describe(
    content: ContentOnDisk,
    name: string,
  ): Promise<Pick<NewImportedFile, "contentType" | "picture"> & { media: Media | undefined }>;
  /** Characters of a message. Longer texts become files. */
  maxLength: number;
  /** Custom emoji that exist already, and the other parts of the context that do not depend on the export. */
  context: Pick<RenderContext, "linkifiers" | "defaultCodeLanguage" | "baseUrl" | "hostnames"> & {
    emoji: ReadonlyMap<string, { id: number; url: string }>;
  };
  extraEmojiUrl(name: string): string;
  /** For channel names that exist already. */
  formatName: string;
  onProgress(messages: number): void;
}

export interface TransferSource {
  reader: Pick<ExportReader, "openFile">;
  survey: Survey;
  /** By time. */
  messages: AsyncIterable<ImportedMessage>;
}

/** Bounds of a slice. */
const SLICE = { messages: 100, characters: 200_000, files: 10 };

const ROLES: readonly Role[] = ["guest", "member", "moderator", "administrator", "owner"];

const lowerRole = (role: Role, limit: Role): Role => (ROLES.indexOf(role) < ROLES.indexOf(limit) ? role : limit);

interface Place {
  /** Undefined for a direct conversation. */
  channel: NamedChannel | undefined;
  recipientId: number;
  /** The people of a conversation or a private channel. Undefined: everybody. */
  readers: ReadonlySet<number> | undefined;
  /** The end of links to direct messages, without an ID. */
  narrow: string;
}

/** A message with a link to a later message. */
interface Unresolved {
  message: ImportedMessage;
  /** Paths by file ID. */
  paths: ReadonlyMap<string, string>;
  /** By path ID. */
  media: ReadonlyMap<string, Media>;
  /** Names of files that are not in the export. */
  lost: readonly string[];
}

export async function transfer(
  source: TransferSource,
  choices: Choices,
  target: ImportTarget,
  tools: TransferTools,
): Promise<Counts> {
  return new Transfer(source, choices, target, tools).run();
}

class Transfer {
  readonly #source: TransferSource;
  readonly #choices: Choices;
  readonly #target: ImportTarget;
  readonly #tools: TransferTools;
  readonly #selection: Selection;
  readonly #counts: Counts;
  readonly #topics: Topics;
  readonly #people = new Map<string, NamedPerson>();
  readonly #peopleById = new Map<number, NamedPerson>();
  readonly #places = new Map<string, Place>();
  readonly #channelsByName = new Map<string, NamedChannel>();
  readonly #emoji: Map<string, { id: number; url: string }>;
  readonly #linked: ReadonlySet<string>;
  /** URLs of messages that others link to. */
  readonly #urls = new Map<string, string>();
  /** Messages with links to later messages. */
  readonly #unresolved: ({ id: number } & Unresolved)[] = [];

  constructor(source: TransferSource, choices: Choices, target: ImportTarget, tools: TransferTools) {
    this.#source = source;
    this.#choices = choices;
    this.#target = target;
    this.#tools = tools;
    this.#selection = selectionOf(source.survey, choices);
    this.#counts = {
      ...countsOf(source.survey, { ...choices, channels: [], directMessages: false }),
      people: 0,
      emoji: 0,
    };
    this.#topics = new Topics(choices);
    this.#emoji = new Map(tools.context.emoji);
    this.#linked = new Set(source.survey.linked.map(([place, id]) => keyOf(place, id)));
  }

  async run(): Promise<Counts> {
    await this.#writeEmoji();
    await this.#writePeople();
    await this.#writePlaces();
    await this.#writeMessages();
    await this.#writeUnresolved();
    await this.#finishChannels();
    return this.#counts;
  }

  async #writeEmoji(): Promise<void> {
    for (const { name, picture } of this.#source.survey.emoji) {
      const content = await this.#stored(picture);
      const written = content && (await this.#target.emoji(name, content));
      if (!written) continue;
      this.#counts.emoji += 1;
      this.#emoji.set(name, { id: written.id, url: written.url });
    }
  }

  /** Undefined if the export does not contain the file. */
  async #stored(source: FileSource | undefined): Promise<ContentOnDisk | undefined> {
    if (source === undefined || source === "missing") return undefined;
    const opened = await this.#source.reader.openFile(source).catch((error: Error) => {
      if (error.name === "NotAnExport") return undefined;
      throw error;
    });
    return opened && this.#tools.store(opened);
  }

  async #writePeople(): Promise<void> {
    const { people } = this.#source.survey;
    for (let from = 0; from < people.length; from += SLICE.messages) {
      const slice = people.slice(from, from + SLICE.messages);
      const written = await this.#target.people(slice.map((person) => newPerson(person, this.#choices.maxRole)));
      for (const { sourceId, id, name } of written) {
        const named = this.#peopleById.get(id) ?? { id, name };
        this.#people.set(sourceId, named);
        this.#peopleById.set(id, named);
      }
      this.#counts.people += slice.length;
      for (const [n, { isNew, id }] of written.entries()) {
        const picture = isNew ? await this.#stored(slice[n]?.picture) : undefined;
        if (picture) await this.#target.avatar(id, picture);
      }
    }
  }

  #idsOf(people: readonly string[]): number[] {
    return [...new Set(people.flatMap((id) => this.#people.get(id)?.id ?? []))];
  }

  async #writePlaces(): Promise<void> {
    for (const channel of this.#selection.channels) {
      const { id: sourceId, name, description, isPrivate, isReadOnly, folder } = channel;
      const memberIds = this.#idsOf(channel.memberIds);
      const suffix = folder ?? this.#tools.formatName;
      const text = { sourceId, name, suffix, description, isPrivate, isReadOnly, folder, memberIds };
      const written = await this.#target.channel(text);
      const place = {
        channel: { id: written.id, name: written.name },
        recipientId: written.recipientId,
        readers: isPrivate ? new Set(memberIds) : undefined,
        narrow: "",
      };
      this.#places.set(sourceId, place);
      this.#channelsByName.set(written.name, place.channel);
      this.#counts.channels += 1;
    }
    const { conversations } = this.#selection;
    const members = conversations.map(({ memberIds }) => this.#idsOf(memberIds));
    for (let from = 0; from < conversations.length; from += SLICE.messages) {
      const slice = members.slice(from, from + SLICE.messages);
      for (const [n, recipientId] of (await this.#target.conversations(slice)).entries()) {
        const ids = slice[n] as number[];
        const narrow = `/#narrow/dm/${ids.join(",")}-${ids.length > 2 ? "group" : "dm"}/near/`;
        const { id } = conversations[from + n] as { id: string };
        this.#places.set(id, { channel: undefined, recipientId, readers: new Set(ids), narrow });
      }
      this.#counts.conversations += slice.length;
    }
  }

  async #finishChannels(): Promise<void> {
    for (const channel of this.#selection.channels) {
      const place = this.#places.get(channel.id) as Place;
      const { id } = place.channel as NamedChannel;
      const members = this.#idsOf(channel.memberIds);
      for (let from = 0; from === 0 || from < members.length; from += SLICE.messages) {
        const memberIds = members.slice(from, from + SLICE.messages);
        await this.#target.finishChannel(id, { memberIds, isArchived: channel.isArchived });
      }
    }
  }

  async #writeMessages(): Promise<void> {
    let slice = new OpenSlice();
    let writing: Promise<void> = Promise.resolve();
    let previous: OpenSlice | undefined;
    for await (const message of this.#source.messages) {
      if (!this.#selection.includes(message)) continue;
      // A link to a message of the slice that is being written needs its ID.
      if (previous && linksOf(message.text).some((key) => previous?.positions.has(key))) {
        await writing;
        previous = undefined;
      }
      await this.#add(slice, message);
      if (!slice.isFull) continue;
      await writing;
      previous = slice;
      writing = this.#write(slice);
      writing.catch(() => {}); // thrown by the next await
      slice = new OpenSlice();
    }
    await writing;
    await this.#write(slice);
  }

  async #write(slice: OpenSlice): Promise<void> {
    if (slice.messages.length === 0) return;
    const first = await this.#target.messages(slice);
    for (const [key, position] of slice.positions) {
      const url = slice.urls.get(key) as string;
      this.#urls.set(key, `${url}${first + position}`);
    }
    for (const { position, ...rest } of slice.unresolved) this.#unresolved.push({ id: first + position, ...rest });
    this.#tools.onProgress(this.#counts.messages);
  }

  async #add(slice: OpenSlice, message: ImportedMessage): Promise<void> {
    const position = slice.messages.length;
    const senderId = (this.#people.get(message.senderId) as NamedPerson).id;
    const paths = new Map<string, string>();
    const media = new Map<string, Media>();
    const lost: string[] = [];
    for (const file of message.files) {
      const stored = await this.#storeFile(slice, file, { senderId, createdAt: message.sentAt });
      if (!stored) lost.push(file.name);
      else {
        paths.set(file.id, `/user_uploads/${stored.pathId}`);
        if (stored.media) media.set(stored.pathId, stored.media);
      }
    }
    const key = keyOf(message.place, message.id);
    let isUnresolved = false;
    const names = this.#names(paths, (link) => {
      const known = this.#urls.get(link) ?? slice.urlOf(link);
      if (known === undefined && this.#linked.has(link)) isUnresolved = true;
      return known;
    });
    const to = this.#destination(message, names);
    if (this.#linked.has(key)) {
      slice.positions.set(key, position);
      slice.urls.set(key, this.#urlWithoutId(message.place, to));
    }
    const content = this.#contentOf(message, names, lost);
    const text = this.#rendered(await this.#fitting(slice, content, { senderId, sentAt: message.sentAt }), media);
    const { readers } = this.#places.get(message.place) as Place;
    const reactions = this.#reactions(message);
    slice.add({
      ...text,
      mentionedIds: text.mentionedIds.filter((id) => readers === undefined || readers.has(id)),
      senderId,
      to,
      sentAt: message.sentAt,
      editedAt: message.editedAt ?? null,
      starredBy: this.#idsOf([...message.starredBy, ...(message.pinnedBy ?? [])]),
      reactions,
    });
    if (isUnresolved) slice.unresolved.push({ position, message, paths, media, lost });
    this.#counts.messages += 1;
    this.#counts.reactions += reactions.length;
  }

  async #storeFile(
    slice: OpenSlice,
    { name: written, source }: ImportedFile,
    { senderId, createdAt }: { senderId: number; createdAt: number },
  ): Promise<{ pathId: string; media: Media | undefined } | undefined> {
    const content = await this.#stored(source);
    if (!content) {
      this.#counts[source !== "missing" && "url" in source ? "elsewhere" : "missing"] += 1;
      return undefined;
    }
    this.#counts.files += 1;
    this.#counts.bytes += content.size;
    const { token, pathId, name } = this.#tools.upload(written);
    const { media, ...about } = await this.#tools.describe(content, name);
    slice.files.push({ content, token, name, ownerId: senderId, createdAt, ...about });
    return { pathId, media };
  }

  #names(files: ReadonlyMap<string, string>, messageUrl: (key: string) => string | undefined): Names {
    return {
      person: (id) => this.#people.get(id),
      channel: (id) => this.#places.get(id)?.channel,
      message: (place, id) => messageUrl(keyOf(place, id)),
      file: (id) => files.get(id),
    };
  }

  #destination(message: ImportedMessage, names: Names): Destination {
    const { channel, recipientId } = this.#places.get(message.place) as Place;
    if (!channel) return { recipientId };
    return { channelId: channel.id, recipientId, topic: this.#topics.of(message, plainTextOf(message.text, names)) };
  }

  #urlWithoutId(place: string, to: Destination): string {
    const { channel, narrow } = this.#places.get(place) as Place;
    return channel && "topic" in to ? messageUrl(channel, to.topic, 0).replace(/0$/, "") : narrow;
  }

  #contentOf({ text, files }: ImportedMessage, names: Names, lost: readonly string[]): string {
    const shown = new Set(text.flatMap((part) => (typeof part === "object" && "file" in part ? part.file : [])));
    const below = files.flatMap(({ id, name }) => {
      const path = names.file?.(id);
      return path === undefined || shown.has(id) ? [] : `[${labelOf(name)}](${path})`;
    });
    return [markdownOf(text, names), ...below, ...lost.map((name) => `📎 ${labelOf(name)}`)]
      .filter((part) => part.trim() !== "")
      .join("\n");
  }

  #rendered(content: string, media: ReadonlyMap<string, Media>): RenderedText {
    const { emoji: _, ...context } = this.#tools.context;
    return this.#tools.render(content, {
      ...context,
      userById: (id) => this.#peopleById.get(id),
      channelByName: (name) => this.#channelsByName.get(name),
      channelWildcard: true,
      customEmoji: (name): CustomEmoji | undefined =>
        this.#emoji.get(name) ?? (EXTRA_EMOJI.has(name) ? { url: this.#tools.extraEmojiUrl(name) } : undefined),
      upload: (path) => media.get(path),
    });
  }

  /** A text that is too long keeps its beginning, after a link to a file with all of it. */
  async #fitting(slice: OpenSlice, content: string, owner: { senderId: number; sentAt: number }): Promise<string> {
    const letters = [...content];
    if (letters.length <= this.#tools.maxLength) return content;
    const stored = await this.#tools.store(Readable.from([Buffer.from(content)]));
    const { token, pathId, name } = this.#tools.upload("message.md");
    const about = { contentType: "text/plain", picture: undefined };
    slice.files.push({ content: stored, token, name, ownerId: owner.senderId, createdAt: owner.sentAt, ...about });
    const link = `[${name}](/user_uploads/${pathId})\n\n`;
    return `${link}${letters.slice(0, this.#tools.maxLength - [...link].length - 1).join("")}…`;
  }

  #reactions({ reactions }: ImportedMessage): NewReaction[] {
    const found = new Map<string, NewReaction>();
    for (const { emoji, personIds } of reactions) {
      const written = "character" in emoji ? unicodeReaction(emoji.character) : this.#namedReaction(emoji.name);
      if (written)
        for (const userId of this.#idsOf(personIds))
          found.set(`${userId} ${written.reaction_type} ${written.emoji_code}`, { userId, ...written });
    }
    return [...found.values()];
  }

  #namedReaction(name: string): Omit<NewReaction, "userId"> | undefined {
    const custom = this.#emoji.get(name);
    if (custom) return { emoji_name: name, emoji_code: String(custom.id), reaction_type: "realm_emoji" };
    return EXTRA_EMOJI.has(name)
      ? { emoji_name: name, emoji_code: name, reaction_type: "service_extra_emoji" }
      : undefined;
  }

  /** Completes links to later messages, which have IDs now. A text that became a file keeps its labels. */
  async #writeUnresolved(): Promise<void> {
    for (let from = 0; from < this.#unresolved.length; from += SLICE.messages) {
      const slice = this.#unresolved.slice(from, from + SLICE.messages);
      const texts = slice.flatMap(({ id, message, paths, media, lost }) => {
        const content = this.#contentOf(
          message,
          this.#names(paths, (key) => this.#urls.get(key)),
          lost,
        );
        return [...content].length > this.#tools.maxLength ? [] : { id, ...this.#rendered(content, media) };
      });
      await this.#target.texts(texts);
    }
  }
}

const keyOf = (place: string, id: string): string => `${place} ${id}`;

const linksOf = (text: Text): string[] =>
  text.flatMap((part) => (typeof part === "object" && "message" in part ? keyOf(part.place, part.message) : []));

/** The name of a file as the text of a link. */
const labelOf = (name: string): string =>
  name
    .replace(/[[\]\\*_`~|<>\n\r]/g, " ")
    .replace(/\s+/g, " ")
    .trim() || "file";

const newPerson = (person: ImportedPerson, maxRole: Role): NewPerson => ({
  sourceId: person.id,
  name: person.name,
  email: person.email,
  role: lowerRole(person.role, maxRole),
  isBot: person.isBot,
  timezone: person.timezone ?? "",
  joinedAt: person.joinedAt ?? 0,
});

function unicodeReaction(character: string): Omit<NewReaction, "userId"> | undefined {
  const emoji = emojiOfCharacters(character);
  return emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: "unicode_emoji" };
}

/** Digits, so that a link with a slot is rendered like one with an ID. */
const newSlot = (): string => `9${randomInt(1e14).toString().padStart(14, "0")}`;

/** A slice that grows. */
class OpenSlice implements Slice {
  readonly messages: NewImportedMessage[] = [];
  readonly files: NewImportedFile[] = [];
  readonly slot = newSlot();
  /** Positions and URLs, up to the ID, of messages that others link to. */
  readonly positions = new Map<string, number>();
  readonly urls = new Map<string, string>();
  readonly unresolved: ({ position: number } & Unresolved)[] = [];
  #characters = 0;

  get isFull(): boolean {
    const { messages, files } = this;
    return messages.length >= SLICE.messages || files.length >= SLICE.files || this.#characters >= SLICE.characters;
  }

  add(message: NewImportedMessage): void {
    this.messages.push(message);
    this.#characters += message.content.length + message.html.length;
  }

  urlOf(key: string): string | undefined {
    const position = this.positions.get(key);
    return position === undefined ? undefined : `${this.urls.get(key)}${slotFor(this.slot, position)}`;
  }
}
