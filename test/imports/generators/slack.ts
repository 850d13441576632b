import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportedFile, ImportedMessage, ImportedPerson } from "../../../server/imports/model.ts";
import {
  type Block,
  type Inline,
  type Markup,
  type Message,
  type Person,
  type Place,
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
import { ZipWriter } from "./zip-writer.ts";

const ids: Ids = {
  person: (number) => `U${padded(number)}`,
  channel: (number) => `C${padded(number)}`,
  conversation: (number) => `D${padded(number)}`,
  message: ({ sentAt, index }) => timestamp(sentAt, index % 1000),
};
const timestamp = (time: number, micros = 0): string =>
  `${Math.floor(time / 1000)}.${padded((time % 1000) * 1000 + micros, 6)}`;
const botId = (number: number): string => `B${padded(number)}`;
const seconds = (time: number): number => Math.floor(time / 1000);

/** Writes a model as an export of Slack: a zip file with a JSON file for each day of a channel. */
export async function writeSlack(path: string, size: Size): Promise<Expected> {
  const model = new RandomModel(size);
  const zip = new ZipWriter(path);
  zip.add("users.json", JSON.stringify(model.people.map(userOf)));
  const pins = new Map<number, object[]>();
  let notices = 0;
  for (const place of model.places) {
    const folder = folderOf(place, model);
    let [date, records] = ["", [] as object[]];
    for (const message of model.in(place)) {
      const day = new Date(message.sentAt).toISOString().slice(0, 10);
      if (day !== date && records.length > 0) {
        zip.add(`${folder}/${date}.json`, JSON.stringify(records));
        records = [];
        await nextTurn();
      }
      date = day;
      if (message.hasNotice) {
        records.push(noticeOf(message));
        notices++;
      }
      records.push(recordOf(message, model));
      addPin(message, pins);
      for (const [at, { name, content }] of message.files.entries())
        if (isInside(message)) zip.add(`__uploads/${fileId(message, at)}/${name}`, content);
    }
    if (records.length > 0) zip.add(`${folder}/${date}.json`, JSON.stringify(records));
  }
  writePlaces(zip, model, pins);
  zip.end();
  return expectedOf(model, notices);
}

function userOf({ number, name, username, email, role, isBot, isActive, timezone, hasPicture }: Person): object {
  const names = { real_name: name, real_name_normalized: name, display_name: username };
  const picture = hasPicture ? { image_72: pictureOf(number), image_512: pictureOf(number) } : {};
  return {
    id: ids.person(number),
    team_id: "T00000001",
    name: username,
    deleted: !isActive,
    real_name: name,
    tz: timezone,
    is_admin: role === "owner" || role === "administrator",
    is_owner: role === "owner",
    is_restricted: role === "guest",
    is_ultra_restricted: false,
    is_bot: isBot,
    profile: { ...names, ...picture, title: "", phone: "", email, bot_id: isBot ? botId(number) : undefined },
  };
}

const pictureOf = (number: number): string => `https://avatars.slack-edge.com/T1-${ids.person(number)}_512.png`;

function folderOf(place: Place, model: RandomModel): string {
  if ("channel" in place) return model.channels[place.channel]?.name as string;
  const { members = [] } = model.conversations[place.conversation] ?? {};
  return members.length > 2 ? groupName(place.conversation) : ids.conversation(place.conversation);
}

const groupName = (conversation: number): string => `mpdm-a--b-${conversation}`;

const noticeOf = ({ sender, sentAt }: Message): object => ({
  type: "message",
  subtype: "channel_join",
  user: ids.person(sender),
  text: `<@${ids.person(sender)}> has joined the channel`,
  ts: timestamp(sentAt - 1),
});

function addPin(message: Message, pins: Map<number, object[]>): void {
  const { pinnedBy, place, sentAt } = message;
  if (pinnedBy === undefined || !("channel" in place)) return;
  const user = ids.person(pinnedBy);
  const list = pins.get(place.channel) ?? [];
  pins.set(place.channel, list);
  list.push({ id: ids.message(message), type: "C", user, owner: user, created: seconds(sentAt) });
}

function writePlaces(zip: ZipWriter, model: RandomModel, pins: ReadonlyMap<number, object[]>): void {
  const channel = ({
    number,
    name,
    creator,
    createdAt,
    description,
    members,
    ...is
  }: RandomModel["channels"][number]) => ({
    id: ids.channel(number),
    name,
    created: seconds(createdAt),
    creator: ids.person(creator),
    is_archived: is.isArchived,
    is_general: is.isDefault,
    members: members.map(ids.person),
    topic: { value: "", creator: "", last_set: 0 },
    purpose: { value: escaped(description), creator: "", last_set: 0 },
    pins: pins.get(number),
  });
  const listOf = (isPrivate: boolean) => model.channels.filter((each) => each.isPrivate === isPrivate).map(channel);
  const conversations = model.conversations.map(({ number, members }) => ({
    id: ids.conversation(number),
    created: 1_600_000_000,
    members: members.map(ids.person),
    ...(members.length > 2 ? { name: groupName(number) } : {}),
  }));
  const isGroup = ({ members }: { members: readonly string[] }) => members.length > 2;
  zip.add("channels.json", JSON.stringify(listOf(false)));
  zip.add("groups.json", JSON.stringify(listOf(true)));
  zip.add("dms.json", JSON.stringify(conversations.filter((each) => !isGroup(each))));
  zip.add("mpims.json", JSON.stringify(conversations.filter(isGroup)));
}

function recordOf(message: Message, model: RandomModel): object {
  const { index, sender, sentAt, editedAt, blocks, files, reactions, pinnedBy } = message;
  const person = model.people[sender] as Person;
  const user = ids.person(sender);
  const { name, username } = person;
  return {
    ...(person.isBot
      ? { subtype: "bot_message", bot_id: botId(sender) }
      : {
          client_msg_id: `00000000-0000-4000-8000-${padded(index, 12)}`,
          user,
          team: "T00000001",
          user_team: "T00000001",
          user_profile: { real_name: name, display_name: username, name: username, team: "T00000001" },
        }),
    type: "message",
    text: written(blocks, mrkdwn(model)).join(""),
    ts: ids.message(message),
    ...threadFields(message, model),
    ...(hasBlocks(message) ? { blocks: [richText(message)] } : {}),
    ...(files.length > 0 ? { upload: false, files: files.map((_, at) => fileRecord(message, at)) } : {}),
    ...(reactions.length > 0
      ? {
          reactions: reactions.map(({ emoji, people }) => ({
            name: "custom" in emoji ? emoji.custom : emoji.name,
            users: people.map(ids.person),
            count: people.length,
          })),
        }
      : {}),
    ...(editedAt === undefined ? {} : { edited: { user, ts: timestamp(editedAt) } }),
    ...(pinnedBy === undefined ? {} : { pinned_to: [placeOf(message, ids)], pinned_info: { pinned_ts: sentAt } }),
  };
}

function threadFields(message: Message, model: RandomModel): object {
  const { root, index } = message;
  if (root === undefined) return {};
  const first = root === index ? message : model.message(root);
  const thread_ts = ids.message(first);
  if (root !== index) return { thread_ts, parent_user_id: ids.person(first.sender) };
  const replies = model.repliesTo(root).map((reply) => ({ user: ids.person(reply.sender), ts: ids.message(reply) }));
  return { thread_ts, reply_count: replies.length, replies, latest_reply: replies.at(-1)?.ts };
}

/** Older messages, and those of apps, have a text only. */
const hasBlocks = ({ index, blocks }: Message): boolean => index % 3 !== 0 && blocks.length > 0;

/** Another tool has added the contents of these files to the export. */
const isInside = ({ index }: Message): boolean => index % 2 === 0;
const fileId = ({ index }: Message, at: number): string => `F${padded(index)}${at}`;
const fileUrl = (message: Message, at: number): string =>
  `https://files.slack.com/files-pri/T00000001-${fileId(message, at)}/download/file?t=xoxe-1`;

function fileRecord(message: Message, at: number): object {
  const { name, content } = message.files[at] as Message["files"][number];
  return {
    id: fileId(message, at),
    created: seconds(message.sentAt),
    name,
    title: name,
    mimetype: "application/octet-stream",
    filetype: "binary",
    user: ids.person(message.sender),
    size: Buffer.byteLength(content),
    mode: "hosted",
    is_external: false,
    url_private: fileUrl(message, at),
    url_private_download: fileUrl(message, at),
    permalink: `https://example.slack.com/files/${fileId(message, at)}`,
  };
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const MARKS: Readonly<Record<Style, string>> = { bold: "*", italic: "_", strike: "~", code: "`" };

const mrkdwn = ({ channels }: RandomModel): Markup => ({
  text: escaped,
  styled: (text, style) => MARKS[style] + text + MARKS[style],
  person: (number) => `<@${ids.person(number)}>`,
  everyone: "<!channel>",
  channel: (number) => `<#${ids.channel(number)}|${channels[number]?.name}>`,
  link: (url, label) => `<${escaped(url)}${label === undefined ? "" : `|${escaped(label)}`}>`,
  emoji: ({ name }) => `:${name}:`,
  custom: (name) => `:${name}:`,
  line: ["", ""],
  quote: ["&gt; ", ""],
  list: () => ["", ""],
  item: (number) => [number === undefined ? "• " : `${number}. `, ""],
  code: (code) => `\`\`\`${escaped(code)}\`\`\``,
  betweenItems: "\n",
  betweenBlocks: "\n\n",
});

/** The same text as a block of Slack's editor. */
const richText = ({ index, blocks }: Message): object => ({
  type: "rich_text",
  block_id: `b${index}`,
  elements: blocks.flatMap((block, at): object[] => {
    const after = blocks[at + 1];
    const isText = (each: Block | undefined) => each !== undefined && "paragraph" in each;
    // The editor has lines between paragraphs, and separates other blocks.
    if ("paragraph" in block) {
      const end = isText(after) ? [{ type: "text", text: "\n" }] : [];
      return [{ type: "rich_text_section", elements: [...block.paragraph.flatMap(leaves), ...end] }];
    }
    if ("quote" in block) return [{ type: "rich_text_quote", elements: block.quote.flatMap(leaves) }];
    if ("code" in block) return [{ type: "rich_text_preformatted", elements: [{ type: "text", text: block.code }] }];
    const items = block.list.map((item) => ({ type: "rich_text_section", elements: item.flatMap(leaves) }));
    return [{ type: "rich_text_list", style: block.isNumbered ? "ordered" : "bullet", indent: 0, elements: items }];
  }),
});

function leaves(inline: Inline, at: number): object[] {
  const leaf = leafOf(inline);
  return at === 0 ? [leaf] : [{ type: "text", text: " " }, leaf];
}

function leafOf(inline: Inline): object {
  if ("words" in inline) {
    const style = inline.style === undefined ? {} : { style: { [inline.style]: true } };
    return { type: "text", text: inline.words, ...style };
  }
  if ("person" in inline) return { type: "user", user_id: ids.person(inline.person) };
  if ("channel" in inline) return { type: "channel", channel_id: ids.channel(inline.channel) };
  if ("everyone" in inline) return { type: "broadcast", range: "channel" };
  if ("url" in inline) return { type: "link", url: inline.url, text: inline.label };
  if ("custom" in inline) return { type: "emoji", name: inline.custom };
  return { type: "emoji", name: inline.emoji.name, unicode: inline.emoji.code };
}

function expectedOf(model: RandomModel, notices: number): Expected {
  return {
    people: model.people.map(expectedPerson),
    channels: model.channels.map((channel) => ({
      ...channelIn(channel, ids),
      isReadOnly: false, // the export has no permissions
    })),
    conversations: conversationsIn(model, ids),
    emoji: [], // the export has names only
    messages: () => messagesOf(model, (message) => expectedMessage(message, model)),
    leftOut: notices > 0 ? { notices } : {},
  };
}

/** Slack has no moderators, and no times of joins. */
const expectedPerson = (person: Person): ImportedPerson => ({
  ...personIn(person, ids),
  role: person.role === "moderator" ? "member" : person.role,
  timezone: person.timezone,
  picture: person.hasPicture ? { url: pictureOf(person.number) } : undefined,
});

function expectedMessage(message: Message, model: RandomModel): ImportedMessage {
  const { root, index } = message;
  const first = root === undefined || root === index ? message : model.message(root);
  // Code has no languages.
  const blocks = message.blocks.map((block) => ("code" in block ? { ...block, language: "" } : block));
  return {
    ...messageIn({ ...message, blocks }, ids),
    threadId: root === undefined ? undefined : ids.message(first),
    files: message.files.map((_, at) => expectedFile(message, at)),
    starredBy: [], // nobody's stars are in the export
  };
}

function expectedFile(message: Message, at: number): ImportedFile {
  const { name, content } = message.files[at] as Message["files"][number];
  const id = fileId(message, at);
  const source = isInside(message) ? { path: `__uploads/${id}/${name}` } : { url: fileUrl(message, at) };
  return { id, name, size: Buffer.byteLength(content), source };
}
