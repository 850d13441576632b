import { createWriteStream, rmSync } from "node:fs";
import { finished } from "node:stream/promises";
import type { ImportedMessage, ImportedPerson } from "../../../server/imports/model.ts";
import {
  CUSTOM_EMOJI,
  FOLDERS,
  MARKDOWN,
  type Markup,
  type Message,
  type Person,
  RandomModel,
  type Size,
  written,
} from "../random-model.ts";
import { channelIn, type Expected, type Ids, messageIn, messagesOf, padded, personIn } from "./expected.ts";
import { ZipWriter } from "./zip-writer.ts";

const teamOf = (number: number): string => `team-${number % FOLDERS.length}`;
const channelName = (number: number): string => `channel-${number}`;

/** The export has no IDs: names are IDs, and messages are known by their line. */
const idsOf = (model: RandomModel, lines: ReadonlyMap<number, string>): Ids => {
  const username = (number: number) => (model.people[number] as Person).username;
  return {
    person: username,
    channel: (number) => `${teamOf(number)}/${channelName(number)}`,
    conversation: (number) => `direct:${model.conversations[number]?.members.map(username).sort().join(",")}`,
    message: ({ index }) => lines.get(index) as string,
  };
};

/** Writes a model as a bulk export of Mattermost: a zip file of a file with an object in each line, and of the files. */
export async function writeMattermost(path: string, size: Size): Promise<Expected> {
  const model = new RandomModel(size);
  const lines = new Map<number, string>();
  const ids = idsOf(model, lines);
  const zip = new ZipWriter(path);
  const jsonl = createWriteStream(`${path}.jsonl`);
  let line = 0;
  const write = async (type: string, value: unknown) => {
    line++;
    if (!jsonl.write(`${JSON.stringify({ type, [type]: value })}\n`))
      await new Promise((go) => jsonl.once("drain", go));
  };
  let notices = 0;
  await write("version", 1);
  for (const [type, value] of thingsIn(model, ids)) await write(type, value);
  for (const { number, hasPicture } of model.people) if (hasPicture) zip.add(pictureOf(number), "picture");
  for (const name of CUSTOM_EMOJI) zip.add(`data/${imageOf(name)}`, "picture");
  for (const message of model.all()) {
    for (const [at, { name, content }] of message.files.entries())
      zip.add(`data/${filePath(message, at)}${name}`, content);
    if (message.root !== undefined && message.root !== message.index) continue; // a part of its first message
    if (message.hasNotice) {
      notices++;
      await write("post", noticeOf(message, model));
    }
    const replies = message.root === undefined ? [] : model.repliesTo(message.index);
    for (const [at, { index }] of [message, ...replies].entries())
      lines.set(index, at === 0 ? String(line + 1) : `${line + 1}.${at}`);
    await writePost(message, replies, { model, ids, write });
  }
  jsonl.end();
  await finished(jsonl);
  await zip.addFile("import.jsonl", `${path}.jsonl`);
  zip.end();
  rmSync(`${path}.jsonl`);
  return expectedOf(model, ids, notices);
}

function* thingsIn(model: RandomModel, ids: Ids): Generator<[type: string, value: object]> {
  for (const name of CUSTOM_EMOJI) yield ["emoji", { name, image: imageOf(name) }];
  for (const [number, name] of FOLDERS.entries())
    yield ["team", { name: teamOf(number), display_name: name, type: "O", allow_open_invite: true }];
  for (const { number, name, description, isPrivate, isArchived, createdAt } of model.channels) {
    const names = { team: teamOf(number), name: channelName(number), display_name: name };
    const state = { type: isPrivate ? "P" : "O", deleted_at: isArchived ? createdAt : 0 };
    yield ["channel", { ...names, ...state, header: "", purpose: description }];
  }
  for (const person of model.people) yield person.isBot ? ["bot", botOf(person)] : ["user", userOf(person, model)];
  for (const { members } of model.conversations)
    yield ["direct_channel", { members: members.map(ids.person), header: "" }];
}

const botOf = ({ username, name, isActive, joinedAt }: Person) => ({
  username,
  display_name: name,
  description: "",
  delete_at: isActive ? 0 : joinedAt,
});

function userOf({ number, name, username, email, role, isActive, joinedAt, hasPicture }: Person, model: RandomModel) {
  const [first_name, ...rest] = name.split(" ");
  const channels = model.channels.filter(({ members }) => members.includes(number));
  return {
    username,
    email,
    first_name,
    last_name: rest.join(" "),
    nickname: "",
    roles: role === "owner" ? "system_admin system_user" : role === "guest" ? "system_guest" : "system_user",
    delete_at: isActive ? 0 : joinedAt,
    profile_image: hasPicture ? pictureOf(number) : undefined,
    teams: FOLDERS.map((_, team) => ({
      name: teamOf(team),
      roles: role === "administrator" ? "team_admin team_user" : "team_user",
      channels: channels
        .filter((channel) => channel.number % FOLDERS.length === team)
        .map((channel) => ({ name: channelName(channel.number), roles: "channel_user" })),
    })),
  };
}

const pictureOf = (number: number): string => `data/profile_pictures/${padded(number)}.png`;
const imageOf = (name: string): string => `exported_emoji/${name}/image`;
const filePath = ({ index }: Message, at: number): string => `20210104/teams/noteam/posts/${padded(index)}/${at}/`;

const noticeOf = ({ place, sender, sentAt }: Message, model: RandomModel) => ({
  ...placeFields(place, model),
  user: model.people[sender]?.username,
  type: "system_join_channel",
  message: "joined the channel.",
  create_at: sentAt - 1,
});

const placeFields = (place: Message["place"], model: RandomModel) =>
  "channel" in place
    ? { team: teamOf(place.channel), channel: channelName(place.channel) }
    : { channel_members: model.conversations[place.conversation]?.members.map((each) => model.people[each]?.username) };

interface Writing {
  model: RandomModel;
  ids: Ids;
  write: (type: string, value: unknown) => Promise<void>;
}

function writePost(message: Message, replies: readonly Message[], { model, ids, write }: Writing): Promise<void> {
  const markup: Markup = {
    ...MARKDOWN,
    person: (number) => `@${ids.person(number)}`,
    everyone: "@all",
    channel: (number) => channelMention(number, message.place, model),
    emoji: ({ name }) => `:${name}:`,
  };
  const post = (each: Message) => ({
    user: ids.person(each.sender),
    message: written(each.blocks, markup).join(""),
    create_at: each.sentAt,
    edit_at: each.editedAt ?? 0,
    is_pinned: each.pinnedBy !== undefined,
    flagged_by: each.starredBy.map(ids.person),
    reactions: each.reactions.flatMap(({ emoji, people }) =>
      people.map((person) => ({
        user: ids.person(person),
        emoji_name: "custom" in emoji ? emoji.custom : emoji.name,
        create_at: each.sentAt + 1,
      })),
    ),
    attachments: each.files.map(({ name }, at) => ({ path: filePath(each, at) + name })),
  });
  const type = "channel" in message.place ? "post" : "direct_post";
  return write(type, { ...placeFields(message.place, model), ...post(message), replies: replies.map(post) });
}

/** Links lead to channels of the same team, and from conversations to all, since their names are unique here. */
const channelMention = (number: number, place: Message["place"], { channels }: RandomModel): string =>
  isLinked(number, place) ? `~${channelName(number)}` : (channels[number]?.name as string);

const isLinked = (number: number, place: Message["place"]): boolean =>
  !("channel" in place) || teamOf(place.channel) === teamOf(number);

function expectedOf(model: RandomModel, ids: Ids, notices: number): Expected {
  return {
    people: model.people.map((person) => expectedPerson(person, ids)),
    channels: model.channels.map((channel) => ({
      ...channelIn(channel, ids),
      folder: FOLDERS[channel.number % FOLDERS.length],
      memberIds: channel.members.filter((each) => !model.people[each]?.isBot).map(ids.person), // bots have no teams
      // The export has no permissions, times and creators of channels. Default channels are known by their names.
      isReadOnly: false,
      isDefault: false,
      createdAt: undefined,
      creatorId: undefined,
    })),
    conversations: model.conversations.map(({ number, members }) => ({
      id: ids.conversation(number),
      memberIds: members.map(ids.person),
    })),
    emoji: CUSTOM_EMOJI.map((name) => ({ name, picture: { path: `data/${imageOf(name)}` } })),
    messages: () => messagesOf(model, (message) => expectedMessage(message, model, ids)),
    leftOut: notices > 0 ? { notices } : {},
  };
}

/** Mattermost has no moderators, and the export no pictures of bots. */
const expectedPerson = (person: Person, ids: Ids): ImportedPerson => ({
  ...personIn(person, ids),
  role: person.role === "moderator" ? "member" : person.role,
  picture: person.hasPicture && !person.isBot ? { path: pictureOf(person.number) } : undefined,
});

function expectedMessage(message: Message, model: RandomModel, ids: Ids): ImportedMessage {
  const { root, place, files, pinnedBy } = message;
  const id = ids.message(message);
  const channel: Markup["channel"] = (number) =>
    isLinked(number, place) ? { channel: ids.channel(number) } : (model.channels[number]?.name as string);
  return {
    ...messageIn(message, ids, { channel }),
    threadId: root === undefined ? undefined : ids.message({ ...message, index: root }),
    files: files.map(({ name, content }, at) => ({
      id: `${id}-${at}`,
      name,
      size: Buffer.byteLength(content),
      source: { path: `data/${filePath(message, at)}${name}` },
    })),
    pinnedBy: pinnedBy === undefined ? undefined : [], // the export does not say who pinned it
  };
}
