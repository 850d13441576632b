import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportedMessage, ImportedPerson } from "../../../server/imports/model.ts";
import {
  type Channel,
  CUSTOM_EMOJI,
  FOLDERS,
  MARKDOWN,
  type Message,
  type Person,
  RandomModel,
  type Size,
  written,
} from "../random-model.ts";
import { channelIn, type Expected, type Ids, messageIn, messagesOf, padded, personIn } from "./expected.ts";
import { JsonFile } from "./json-file.ts";

const EPOCH = 1_420_070_400_000;
/** IDs of Discord begin with the time. */
const snowflake = (time: number, number: number): string => String((BigInt(time - EPOCH) << 22n) + BigInt(number));

const idsOf = ({ channels }: RandomModel): Ids => ({
  person: (number) => snowflake(EPOCH + 1, number),
  channel: (number) => snowflake(channels[number]?.createdAt ?? EPOCH, number),
  conversation: (number) => snowflake(EPOCH + 2, number),
  message: ({ sentAt, index }) => snowflake(sentAt, index % 4096),
});

const emojiId = (name: string): string => snowflake(EPOCH + 3, CUSTOM_EMOJI.indexOf(name));
const emojiUrl = (name: string): string => `https://cdn.discordapp.com/emojis/${emojiId(name)}.png`;

/** Writes a model as exports of DiscordChatExporter: a folder with a JSON file for each channel and thread. */
export async function writeDiscord(path: string, size: Size): Promise<Expected> {
  const writer = new DiscordWriter(path, new RandomModel(size));
  await writer.write();
  return writer.expected();
}

class DiscordWriter {
  readonly #path: string;
  readonly #model: RandomModel;
  readonly #ids: Ids;
  /** An export has the people and emoji of its messages only. */
  readonly #people = new Set<number>();
  readonly #emoji = new Set<string>();
  readonly #members = new Map<string, Set<number>>();
  #notices = 0;

  constructor(path: string, model: RandomModel) {
    this.#path = path;
    this.#model = model;
    this.#ids = idsOf(model);
  }

  async write(): Promise<void> {
    const { channels, conversations } = this.#model;
    mkdirSync(this.#path);
    for (const channel of channels) await this.#writeChannel(channel);
    for (const { number, members } of conversations) {
      const id = this.#ids.conversation(number);
      const name = this.#named(members).map((member) => this.#person(member).username);
      const channel = { id, type: isPair(members) ? "DirectTextChat" : "DirectGroupTextChat", name: name.join(", ") };
      const header = { guild: { id: "0", name: "Direct Messages" }, channel };
      const file = this.#start(`Direct Messages - ${number} [${id}].json`, header);
      for (const message of this.#model.in({ conversation: number })) await file.add(...this.#records(message));
      await file.end();
    }
  }

  async #writeChannel(channel: Channel): Promise<void> {
    const id = this.#ids.channel(channel.number);
    const category = FOLDERS[channel.folder] as string;
    const type = channel.isReadOnly ? "GuildNews" : "GuildTextChat";
    const fields = {
      id,
      type,
      categoryId: String(channel.folder + 1),
      category,
      name: channel.name,
      topic: channel.description,
    };
    const file = this.#start(`Guild - ${category} - ${channel.number} [${id}].json`, { guild: GUILD, channel: fields });
    for (const message of this.#model.in({ channel: channel.number })) {
      const { root, index } = message;
      if (root !== undefined && root !== index) continue; // in the file of its thread
      await file.add(...this.#records(message));
      if (root === index) await this.#writeThread(message, channel);
    }
    await file.end();
  }

  /** A thread has the ID of its first message, which is in the channel. */
  async #writeThread(first: Message, { number, name }: Channel): Promise<void> {
    const id = this.#ids.message(first);
    const categoryId = this.#ids.channel(number);
    const fields = { id, type: "GuildPublicThread", categoryId, category: name, name: first.topic };
    const file = this.#start(`Guild - thread [${id}].json`, { guild: GUILD, channel: fields });
    for (const message of this.#model.repliesTo(first.index)) await file.add(...this.#records(message));
    await file.end();
  }

  /** The people whose names a conversation has: the other person, or all. */
  #named(members: readonly number[]): readonly number[] {
    return isPair(members) ? members.slice(-1) : members;
  }

  #start(name: string, header: object): JsonFile {
    return new JsonFile(join(this.#path, name), `${JSON.stringify(header).slice(0, -1)},"messages":[`, "]}");
  }

  #person(number: number): Person {
    return this.#model.people[number] as Person;
  }

  #records(message: Message): object[] {
    this.#meet(message);
    for (const [at, { content }] of message.files.entries()) {
      if (!isInside(message)) continue;
      mkdirSync(join(this.#path, "media_Files"), { recursive: true });
      writeFileSync(join(this.#path, filePath(message, at)), content);
    }
    const record = this.#record(message);
    if (!message.hasNotice) return [record];
    this.#notices++;
    const id = snowflake(message.sentAt - 1, 0);
    const timestamp = new Date(message.sentAt - 1).toISOString();
    const author = this.#user(message.sender);
    return [
      { id, type: "ChannelPinnedMessage", timestamp, content: "Pinned a message.", author, mentions: [] },
      record,
    ];
  }

  #meet({ place, sender, reactions, blocks }: Message): void {
    const key = JSON.stringify(place);
    const members = this.#members.get(key) ?? new Set();
    this.#members.set(key, members);
    for (const person of [sender, ...reactions.flatMap(({ people }) => people)]) {
      members.add(person);
      this.#people.add(person);
    }
    for (const { emoji } of reactions) if ("custom" in emoji) this.#emoji.add(emoji.custom);
    written(blocks, {
      ...MARKDOWN,
      person: (number) => String(this.#people.add(number).size),
      everyone: "",
      channel: () => "",
      custom: (name) => String(this.#emoji.add(name).size),
    });
  }

  #record(message: Message): object {
    const { sentAt, editedAt, sender, files, reactions, pinnedBy } = message;
    const mentioned: number[] = [];
    const content = written(message.blocks, {
      ...MARKDOWN,
      person: (number) => `<@${mentioned.push(number) && this.#ids.person(number)}>`,
      everyone: "@everyone",
      channel: (number) => `<#${this.#ids.channel(number)}>`,
      custom: (name) => `<:${name}:${emojiId(name)}>`,
    }).join("");
    return {
      id: this.#ids.message(message),
      type: "Default",
      timestamp: new Date(sentAt).toISOString(),
      timestampEdited: editedAt === undefined ? null : new Date(editedAt).toISOString(),
      callEndedTimestamp: null,
      isPinned: pinnedBy !== undefined,
      content,
      author: this.#user(sender),
      attachments: files.map(({ name, content: contents }, at) => ({
        id: String(at),
        url: isInside(message) ? filePath(message, at) : fileUrl(message, at),
        fileName: name,
        fileSizeBytes: Buffer.byteLength(contents),
      })),
      embeds: [],
      stickers: [],
      reactions: reactions.map(({ emoji, people }) => ({
        emoji:
          "custom" in emoji
            ? { id: emojiId(emoji.custom), name: emoji.custom, code: emoji.custom, imageUrl: emojiUrl(emoji.custom) }
            : { id: "", name: emoji.character, code: emoji.name, imageUrl: "https://cdn.example/emoji.svg" },
        count: people.length,
        users: people.map((person) => this.#user(person)),
      })),
      mentions: mentioned.map((person) => this.#user(person)),
      inlineEmojis: [],
    };
  }

  #user(number: number): object {
    const { username, name, isBot, hasPicture } = this.#person(number);
    return {
      id: this.#ids.person(number),
      name: username,
      discriminator: isBot ? "1234" : "0000",
      nickname: name,
      color: null,
      isBot,
      roles: [],
      avatarUrl: hasPicture ? pictureOf(number) : "https://cdn.discordapp.com/embed/avatars/0.png",
    };
  }

  expected(): Expected {
    const model = this.#model;
    const ids = this.#ids;
    const membersIn = (place: Message["place"]) =>
      [...(this.#members.get(JSON.stringify(place)) ?? [])].map(ids.person);
    const partners: ImportedPerson[] = [];
    const people = model.people.filter(({ number }) => this.#people.has(number));
    const lists = {
      channels: model.channels.map((channel) => ({
        ...channelIn(channel, ids),
        folder: FOLDERS[channel.folder],
        memberIds: membersIn({ channel: channel.number }),
        // The export has no permissions and no states of channels.
        isPrivate: false,
        isArchived: false,
        isDefault: false,
        creatorId: undefined,
      })),
      conversations: model.conversations.map(({ number, members }) => {
        const [id, writing] = [ids.conversation(number), membersIn({ conversation: number })];
        const named = this.#named(members).filter((member) => this.#people.has(member));
        const isUnknown = isPair(members) && writing.length < 2 && named.length === 0;
        if (isUnknown) partners.push(partnerOf(id, this.#person(members.at(-1) as number)));
        const others = isUnknown ? [`partner-${id}`] : named.map(ids.person);
        return { id, memberIds: [...new Set([...writing, ...others])] };
      }),
      emoji: [...this.#emoji].map((name) => ({ name, picture: { url: emojiUrl(name) } })),
      messages: () => messagesOf(model, (message) => expectedMessage(message, model, ids)),
      leftOut: this.#notices > 0 ? { notices: this.#notices } : {},
    };
    return { ...lists, people: [...people.map((person) => expectedPerson(person, ids)), ...partners] };
  }
}

const GUILD = { id: snowflake(EPOCH + 4, 1), name: "Guild", iconUrl: "https://cdn.example/icon.png" };
const isPair = (members: readonly number[]): boolean => members.length <= 2;

/** The other person of a conversation who is nowhere else in the export. */
const partnerOf = (id: string, { username }: Person): ImportedPerson => ({
  id: `partner-${id}`,
  name: username,
  role: "member",
  isBot: false,
  isActive: true,
});

const isInside = ({ index }: Message): boolean => index % 2 === 0;
const filePath = ({ index }: Message, at: number): string => `media_Files/${padded(index)}-${at}.bin`;
const fileUrl = ({ index }: Message, at: number): string =>
  `https://cdn.discordapp.com/attachments/1/${index}${at}/file`;
const pictureOf = (number: number): string => `https://cdn.discordapp.com/avatars/${number}/picture.png`;

/** The export has no roles, email addresses and states. */
const expectedPerson = (person: Person, ids: Ids): ImportedPerson => ({
  ...personIn(person, ids),
  username: person.isBot ? `${person.username}#1234` : person.username,
  email: undefined,
  role: "member",
  isActive: true,
  picture: person.hasPicture ? { url: pictureOf(person.number) } : undefined,
});

function expectedMessage(message: Message, model: RandomModel, ids: Ids): ImportedMessage {
  const { root, index, files, pinnedBy } = message;
  return {
    ...messageIn(message, ids),
    topic: root === undefined ? undefined : (root === index ? message : model.message(root)).topic,
    files: files.map(({ name, content }, at) => ({
      id: `${sourceIdOf(message, model, ids)}/${ids.message(message)}/${at}`,
      name,
      size: Buffer.byteLength(content),
      source: isInside(message) ? { path: filePath(message, at) } : { url: fileUrl(message, at) },
    })),
    pinnedBy: pinnedBy === undefined ? undefined : [], // the export does not say who pinned it
    starredBy: [], // Discord has no stars
  };
}

/** The channel, thread or conversation of the file. */
function sourceIdOf({ root, index, place }: Message, model: RandomModel, ids: Ids): string {
  if (root !== undefined && root !== index) return ids.message(model.message(root));
  return "channel" in place ? ids.channel(place.channel) : ids.conversation(place.conversation);
}
