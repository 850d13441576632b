import { createReadStream, createWriteStream, rmSync, statSync } from "node:fs";
import { finished, pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import type { ImportedMessage, ImportedPerson, Role } from "../../../server/imports/model.ts";
import {
  type Channel,
  type Conversation,
  CUSTOM_EMOJI,
  FOLDERS,
  MARKDOWN,
  type Message,
  type Person,
  RandomModel,
  type Size,
  written,
} from "../random-model.ts";
import { channelIn, type Expected, type Ids, membersOf, messageIn, messagesOf, padded, personIn } from "./expected.ts";

const ROOT = "zulip-export/";
const MESSAGES_PER_FILE = 1000;

const personId = (number: number): number => number + 10;
const channelId = (number: number): number => number + 2000;
/** Recipients of messages: people, channels and groups of people. */
const toPerson = (number: number): number => number + 10_000;
const toChannel = (number: number): number => number + 20_000;
const toGroup = (conversation: number): number => conversation + 30_000;
const messageId = (index: number): number => index + 100;
const isGroup = ({ members }: Conversation): boolean => members.length > 2;

const idsOf = ({ conversations }: RandomModel): Ids => ({
  person: (number) => String(personId(number)),
  channel: (number) => String(channelId(number)),
  conversation: (number) => {
    const { members } = conversations[number] as Conversation;
    return `direct:${members
      .map(personId)
      .sort((a, b) => a - b)
      .join("-")}`;
  },
  message: ({ index }) => String(messageId(index)),
});

/** Writes a model as an archive of Zulip: a compressed tar file. */
export async function writeZulip(path: string, size: Size): Promise<Expected> {
  const model = new RandomModel(size);
  const tar = pack();
  const saved = pipeline(tar, createGzip({ level: 1 }), createWriteStream(path));
  const used = new Set<number>();
  const uploads: Upload[] = [];
  let rows: Message[] = [];
  let files = 0;
  const flush = () => addJson(tar, `messages-${padded(++files, 6)}.json`, messageTables(rows, model));
  for (const message of model.all()) {
    if ("conversation" in message.place) used.add(message.place.conversation);
    uploads.push(...message.files.map(({ name, content }, at) => ({ id: uploadId(message, at), name, content })));
    rows.push(message);
    if (rows.length < MESSAGES_PER_FILE) continue;
    await flush();
    rows = [];
  }
  await flush();
  await addJson(tar, "migration_status.json", { zulip_version: "11.0", migrations_by_app: {} });
  await addUploads(tar, uploads);
  await addPictures(tar, model);
  await writeRealm(`${path}.realm`, model);
  const { size: bytes } = statSync(`${path}.realm`);
  await pipeline(createReadStream(`${path}.realm`), tar.entry({ name: `${ROOT}realm.json`, size: bytes }));
  tar.finalize();
  await saved;
  rmSync(`${path}.realm`);
  return expectedOf(model, used);
}

const add = (tar: Pack, name: string, content: string): Promise<void> =>
  new Promise((resolve, reject) =>
    tar.entry({ name: ROOT + name }, content, (error) => (error ? reject(error) : resolve())),
  );

const addJson = (tar: Pack, name: string, value: unknown): Promise<void> => add(tar, name, JSON.stringify(value));

function messageTables(messages: readonly Message[], model: RandomModel): object {
  return {
    zerver_message: messages.map((message) => ({
      id: messageId(message.index),
      sender: personId(message.sender),
      recipient: recipientOf(message, model),
      subject: "channel" in message.place ? message.topic : "",
      content: contentOf(message, model),
      rendered_content: "<p>…</p>",
      date_sent: message.sentAt / 1000,
      last_edit_time: message.editedAt === undefined ? null : message.editedAt / 1000,
      edit_history: null,
      sending_client: 1,
      realm: 1,
    })),
    zerver_usermessage: messages.flatMap(({ index, sender, starredBy }) =>
      [sender, ...starredBy].map((person, at) => ({
        id: messageId(index) * 10 + at,
        user_profile: personId(person),
        message: messageId(index),
        flags_mask: at === 0 ? 1 : 3,
      })),
    ),
  };
}

/** A message to a person, from the view of its sender. */
function recipientOf(message: Message, model: RandomModel): number {
  const { place, sender } = message;
  if ("channel" in place) return toChannel(place.channel);
  const conversation = model.conversations[place.conversation] as Conversation;
  if (isGroup(conversation)) return toGroup(place.conversation);
  return toPerson(membersOf(message, model).find((member) => member !== sender) ?? sender);
}

function contentOf(message: Message, { people, channels }: RandomModel): string {
  const text = written(message.blocks, {
    ...MARKDOWN,
    person: (number) => `@**${people[number]?.name}|${personId(number)}**`,
    everyone: "@**all**",
    channel: (number) => `#**${channels[number]?.name}**`,
  }).join("");
  const links = message.files.map(({ name }, at) => `[${name}](/user_uploads/${uploadId(message, at)})`);
  return [...(text === "" ? [] : [text]), ...links].join("\n");
}

interface Upload {
  id: string;
  name: string;
  content: string;
}

/** The server makes safe names. */
const uploadId = (message: Message, at: number): string =>
  `2/${padded(message.index % 97, 2)}/${padded(message.index)}${at}/${message.files[at]?.name.replace(/[^\w.]+/g, "-")}`;

async function addUploads(tar: Pack, uploads: readonly Upload[]): Promise<void> {
  for (const { id, content } of uploads) await add(tar, `uploads/${id}`, content);
  await addJson(
    tar,
    "uploads/records.json",
    uploads.map(({ id }) => ({ path: id, s3_path: id, realm_id: 1 })),
  );
  const rows = uploads.map(({ id, name, content }, at) => ({
    id: at,
    path_id: id,
    file_name: name,
    size: Buffer.byteLength(content),
  }));
  await addJson(tar, "attachment.json", { zerver_attachment: rows });
}

const avatarPath = (number: number): string => `2/${padded(number)}.original`;
const emojiPath = (name: string): string => `2/emoji/images/${name}.png`;

async function addPictures(tar: Pack, { people }: RandomModel): Promise<void> {
  const pictured = people.filter(({ hasPicture }) => hasPicture);
  for (const { number } of pictured) await add(tar, `avatars/${avatarPath(number)}`, "picture");
  const avatars = pictured.map(({ number }) => ({ path: avatarPath(number), user_profile_id: personId(number) }));
  await addJson(tar, "avatars/records.json", avatars);
  for (const name of CUSTOM_EMOJI) await add(tar, `emoji/${emojiPath(name)}`, "picture");
  const emoji = CUSTOM_EMOJI.map((name) => ({ path: emojiPath(name), file_name: `${name}.png` }));
  await addJson(tar, "emoji/records.json", emoji);
}

const ROLES: Readonly<Record<Role, number>> = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
};
const [EVERYONE, ADMINISTRATORS] = [1, 2];

async function writeRealm(path: string, model: RandomModel): Promise<void> {
  const { people, channels, conversations } = model;
  const groups = conversations.filter(isGroup);
  const tables = {
    zerver_userprofile: people.map(userOf),
    zerver_stream: channels.map(streamOf),
    zerver_channelfolder: FOLDERS.map((name, id) => ({ id, name })),
    zerver_defaultstream: channels
      .filter(({ isDefault }) => isDefault)
      .map(({ number }) => ({ id: 1, stream: channelId(number) })),
    zerver_namedusergroup: [
      { usergroup_ptr: EVERYONE, name: "role:everyone" },
      { usergroup_ptr: ADMINISTRATORS, name: "role:administrators" },
    ],
    zerver_recipient: [
      ...people.map(({ number }) => ({ id: toPerson(number), type: 1, type_id: personId(number) })),
      ...channels.map(({ number }) => ({ id: toChannel(number), type: 2, type_id: channelId(number) })),
      ...groups.map(({ number }) => ({ id: toGroup(number), type: 3, type_id: number })),
    ],
    zerver_subscription: [
      ...channels.map((channel) => ({ members: channel.members, recipient: toChannel(channel.number) })),
      ...groups.map((group) => ({ members: group.members, recipient: toGroup(group.number) })),
    ].flatMap(({ members, recipient }) =>
      members.map((member) => ({
        id: recipient * 1000 + member,
        user_profile: personId(member),
        recipient,
        active: true,
      })),
    ),
    zerver_realmemoji: CUSTOM_EMOJI.map((name, id) => ({ id, name, file_name: `${name}.png`, deactivated: false })),
  };
  const file = createWriteStream(path);
  file.write(`${JSON.stringify(tables).slice(0, -1)}, "zerver_reaction": [`);
  let id = 0;
  for (const message of model.all()) {
    const rows = reactionRows(message).map((row) => (id++ === 0 ? "" : ",") + JSON.stringify({ id, ...row }));
    if (!file.write(rows.join(""))) await new Promise((go) => file.once("drain", go));
  }
  file.end("]}");
  await finished(file);
}

const reactionRows = ({ index, reactions }: Message): object[] =>
  reactions.flatMap(({ emoji, people }) =>
    people.map((person) => ({
      message: messageId(index),
      user_profile: personId(person),
      ...("custom" in emoji
        ? {
            reaction_type: "realm_emoji",
            emoji_code: String(CUSTOM_EMOJI.indexOf(emoji.custom)),
            emoji_name: emoji.custom,
          }
        : { reaction_type: "unicode_emoji", emoji_code: emoji.code, emoji_name: emoji.name }),
    })),
  );

const userOf = ({ number, name, email, role, isBot, isActive, timezone, joinedAt, hasPicture }: Person): object => ({
  id: personId(number),
  full_name: name,
  email: email ?? "",
  delivery_email: email ?? "",
  role: ROLES[role],
  is_bot: isBot,
  is_active: isActive,
  timezone,
  date_joined: joinedAt / 1000,
  avatar_source: hasPicture ? "U" : "G",
});

const streamOf = (channel: Channel): object => ({
  id: channelId(channel.number),
  name: channel.name,
  description: channel.description,
  invite_only: channel.isPrivate,
  deactivated: channel.isArchived,
  date_created: channel.createdAt / 1000,
  creator: personId(channel.creator),
  folder: channel.folder,
  can_send_message_group: channel.isReadOnly ? ADMINISTRATORS : EVERYONE,
});

function expectedOf(model: RandomModel, used: ReadonlySet<number>): Expected {
  const ids = idsOf(model);
  return {
    people: model.people.map((person) => expectedPerson(person, ids)),
    channels: model.channels.map((channel) => ({ ...channelIn(channel, ids), folder: FOLDERS[channel.folder] })),
    // The archive has no list of conversations of one or two people.
    conversations: model.conversations
      .filter((each) => isGroup(each) || used.has(each.number))
      .map(({ number, members }) => ({ id: ids.conversation(number), memberIds: members.map(ids.person) })),
    emoji: CUSTOM_EMOJI.map((name) => ({
      name,
      picture: { path: `${ROOT}emoji/${emojiPath(name)}` },
      isDeactivated: false,
    })),
    messages: () => messagesOf(model, (message) => expectedMessage(message, ids)),
    leftOut: {}, // notices are messages of a bot
  };
}

const expectedPerson = (person: Person, ids: Ids): ImportedPerson => ({
  ...personIn(person, ids),
  username: undefined, // Zulip has none
  timezone: person.timezone,
  joinedAt: person.joinedAt,
  picture: person.hasPicture ? { path: `${ROOT}avatars/${avatarPath(person.number)}` } : undefined,
});

function expectedMessage(message: Message, ids: Ids): ImportedMessage {
  const converted = messageIn(message, ids);
  const files = message.files.map(({ name, content }, at) => {
    const id = uploadId(message, at);
    return { id, name, size: Buffer.byteLength(content), source: { path: `${ROOT}uploads/${id}` } };
  });
  const links = files.map(({ id, name }) => ({ file: id, label: name }));
  return {
    ...converted,
    topic: "channel" in message.place ? message.topic : undefined, // topics are threads
    text: [...converted.text, ...links.flatMap((link, at) => [at + converted.text.length === 0 ? "" : "\n", link])],
    files,
    pinnedBy: undefined, // Zulip has no pins
  };
}
