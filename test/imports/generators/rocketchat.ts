import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { serialize } from "bson";
import type { FileSource, ImportedMessage, ImportedPerson } from "../../../server/imports/model.ts";
import {
  type Channel,
  CUSTOM_EMOJI,
  FOLDERS,
  type Inline,
  MARKDOWN,
  type Markup,
  type Message,
  type Person,
  RandomModel,
  type Size,
  type Style,
  written,
} from "../random-model.ts";
import {
  channelIn,
  conversationsIn,
  type Expected,
  type Ids,
  messageIn,
  messagesOf,
  padded,
  personIn,
  placeOf,
} from "./expected.ts";

const ids: Ids = {
  person: (number) => `user${padded(number)}`,
  channel: (number) => `room${padded(number)}`,
  conversation: (number) => `direct${padded(number)}`,
  message: ({ index }) => `message${padded(index)}`,
};
const slugOf = (number: number): string => `channel-${number}`;
const fileId = ({ index }: Message, at: number): string => `file${padded(index)}${at}`;

/** Writes a model as a dump of a Rocket.Chat server's database: a folder of BSON files. */
export async function writeRocketchat(path: string, size: Size): Promise<Expected> {
  const model = new RandomModel(size);
  const dump = new DumpWriter(join(path, "dump", "chat"));
  for (const document of thingsIn(model)) dump.add(...document);
  let notices = 0;
  for (const message of model.all()) {
    if (message.index % 1000 === 0) await nextTurn();
    if (message.hasNotice) {
      notices++;
      dump.add("rocketchat_message", noticeOf(message, model));
    }
    dump.add("rocketchat_message", messageOf(message, model));
    for (const [at, { name, content }] of message.files.entries()) {
      const [id, bytes] = [fileId(message, at), Buffer.from(content)];
      dump.add("rocketchat_uploads", {
        _id: id,
        name,
        size: bytes.length,
        rid: placeOf(message, ids),
        store: "GridFS:Uploads",
      });
      dump.addFile("rocketchat_uploads", id, bytes);
    }
  }
  dump.end();
  return expectedOf(model, notices);
}

/** Pieces of files in a database are larger, but these show that there can be several. */
const CHUNK_BYTES = 40;

class DumpWriter {
  readonly #folder: string;
  readonly #files = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  add(collection: string, document: object): void {
    const file = this.#files.get(collection) ?? openSync(join(this.#folder, `${collection}.bson`), "w");
    this.#files.set(collection, file);
    writeSync(file, serialize(document, { ignoreUndefined: true }));
  }

  addFile(bucket: string, _id: string, content: Buffer): void {
    this.add(`${bucket}.files`, { _id, length: content.length, chunkSize: CHUNK_BYTES });
    for (let n = 0; n * CHUNK_BYTES < content.length; n++)
      this.add(`${bucket}.chunks`, {
        files_id: _id,
        n,
        data: content.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
      });
  }

  end(): void {
    for (const file of this.#files.values()) closeSync(file);
  }
}

function* thingsIn(model: RandomModel): Generator<[collection: string, document: object]> {
  const { people, channels, conversations } = model;
  for (const person of people) {
    yield ["users", userOf(person)];
    if (person.hasPicture)
      yield* pictureOf("rocketchat_avatars", avatarId(person.number), { userId: ids.person(person.number) });
  }
  for (const [number, name] of FOLDERS.entries()) yield ["rocketchat_team", { _id: `team${number}`, name }];
  for (const channel of channels) {
    yield ["rocketchat_room", roomOf(channel, model)];
    for (const member of channel.members)
      yield ["rocketchat_subscription", { rid: ids.channel(channel.number), u: userIn(member, model) }];
  }
  for (const { number, members } of conversations) {
    const usernames = members.map((member) => people[member]?.username);
    yield ["rocketchat_room", { _id: ids.conversation(number), t: "d", uids: members.map(ids.person), usernames }];
  }
  for (const name of CUSTOM_EMOJI) {
    yield ["rocketchat_custom_emoji", { _id: name, name, aliases: [], extension: "png" }];
    yield* pictureOf("custom_emoji", `${name}.png`);
  }
}

function* pictureOf(bucket: string, _id: string, fields?: object): Generator<[collection: string, document: object]> {
  if (fields) yield [bucket, { _id, ...fields }];
  yield [`${bucket}.files`, { _id, length: 7 }];
  yield [`${bucket}.chunks`, { files_id: _id, n: 0, data: Buffer.from("picture") }];
}

const avatarId = (number: number): string => `avatar${padded(number)}`;

const userIn = (number: number, { people }: RandomModel) => {
  const { username, name } = people[number] as Person;
  return { _id: ids.person(number), username, name };
};

const userOf = ({ number, name, username, email, role, isBot, isActive, joinedAt }: Person): object => ({
  _id: ids.person(number),
  name,
  username,
  emails: email === undefined ? undefined : [{ address: email, verified: true }],
  type: isBot ? "bot" : "user",
  roles: [role === "owner" ? "admin" : role === "guest" ? "guest" : isBot ? "bot" : "user"],
  active: isActive,
  createdAt: new Date(joinedAt),
});

const roomOf = ({ number, name, ...channel }: Channel, model: RandomModel): object => ({
  _id: ids.channel(number),
  t: channel.isPrivate ? "p" : "c",
  name: slugOf(number),
  fname: name,
  ts: new Date(channel.createdAt),
  description: channel.description,
  archived: channel.isArchived,
  default: channel.isDefault,
  ro: channel.isReadOnly,
  u: userIn(channel.creator, model),
  teamId: `team${channel.folder}`,
});

const noticeOf = (message: Message, model: RandomModel): object => ({
  _id: `notice${padded(message.index)}`,
  rid: placeOf(message, ids),
  ts: new Date(message.sentAt - 1),
  t: "uj",
  msg: model.people[message.sender]?.username,
  u: userIn(message.sender, model),
});

function messageOf(message: Message, model: RandomModel): object {
  const { index, root, sender, sentAt, editedAt, blocks, files, reactions, pinnedBy, starredBy } = message;
  const inlines = blocks.flatMap((block) =>
    "code" in block ? [] : "list" in block ? block.list.flat() : inlinesOf(block),
  );
  return {
    _id: ids.message(message),
    rid: placeOf(message, ids),
    ts: new Date(sentAt),
    _updatedAt: new Date(sentAt),
    msg: written(blocks, markup(model)).join(""),
    u: userIn(sender, model),
    urls: [],
    mentions: inlines.flatMap((inline) => mentionOf(inline, model)),
    channels: inlines.flatMap((inline) =>
      "channel" in inline ? [{ _id: ids.channel(inline.channel), name: slugOf(inline.channel) }] : [],
    ),
    editedAt: editedAt === undefined ? undefined : new Date(editedAt),
    tmid: root === undefined || root === index ? undefined : ids.message({ ...message, index: root }),
    tcount: root === index ? model.repliesTo(index).length : undefined,
    reactions: Object.fromEntries(
      reactions.map(({ emoji, people }) => [
        `:${"custom" in emoji ? emoji.custom : emoji.name}:`,
        { usernames: people.map((person) => model.people[person]?.username) },
      ]),
    ),
    pinned: pinnedBy !== undefined,
    pinnedBy: pinnedBy === undefined ? undefined : userIn(pinnedBy, model),
    starred: starredBy.map((person) => ({ _id: ids.person(person) })),
    files: files.map(({ name, content }, at) => ({ _id: fileId(message, at), name, size: Buffer.byteLength(content) })),
    attachments: files.map(({ name }, at) => ({
      type: "file",
      title: name,
      title_link: `/file-upload/${fileId(message, at)}/${encodeURIComponent(name)}`,
      description: "",
    })),
  };
}

const inlinesOf = (block: { paragraph: readonly Inline[] } | { quote: readonly Inline[] }): readonly Inline[] =>
  "quote" in block ? block.quote : block.paragraph;

function mentionOf(inline: Inline, model: RandomModel): object[] {
  if ("everyone" in inline) return [{ _id: "all", username: "all" }];
  return "person" in inline ? [{ ...userIn(inline.person, model), type: "user" }] : [];
}

const MARKS: Readonly<Record<Style, string>> = { bold: "*", italic: "_", strike: "~", code: "`" };

const markup = ({ people }: RandomModel): Markup => ({
  ...MARKDOWN,
  styled: (text, style) => MARKS[style] + text + MARKS[style],
  person: (number) => `@${people[number]?.username}`,
  everyone: "@all",
  channel: (number) => `#${slugOf(number)}`,
  emoji: ({ name }) => `:${name}:`,
});

function expectedOf(model: RandomModel, notices: number): Expected {
  return {
    people: model.people.map(expectedPerson),
    channels: model.channels.map((channel) => ({ ...channelIn(channel, ids), folder: FOLDERS[channel.folder] })),
    conversations: conversationsIn(model, ids),
    emoji: CUSTOM_EMOJI.map((name) => ({ name, picture: sourceOf("custom_emoji", `${name}.png`) })),
    messages: () => messagesOf(model, expectedMessage),
    leftOut: notices > 0 ? { notices } : {},
  };
}

const sourceOf = (bucket: string, id: string): FileSource => ({ gridfs: { bucket, id } });

/** An administrator can be an owner only, and moderators are those of a room. */
const expectedPerson = (person: Person): ImportedPerson => ({
  ...personIn(person, ids),
  role: person.role === "owner" || person.role === "guest" ? person.role : "member",
  joinedAt: person.joinedAt,
  picture: person.hasPicture ? sourceOf("rocketchat_avatars", avatarId(person.number)) : undefined,
});

const expectedMessage = (message: Message): ImportedMessage => ({
  ...messageIn(message, ids),
  threadId: message.root === undefined ? undefined : ids.message({ ...message, index: message.root }),
  files: message.files.map(({ name, content }, at) => {
    const id = fileId(message, at);
    return { id, name, size: Buffer.byteLength(content), source: sourceOf("rocketchat_uploads", id) };
  }),
});
