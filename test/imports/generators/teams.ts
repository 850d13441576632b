import { join } from "node:path";
import type { ImportedMessage, ImportedPerson } from "../../../server/imports/model.ts";
import {
  type Channel,
  FOLDERS,
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
import { JsonFile } from "./json-file.ts";

const uuid = (kind: number, number: number): string => `${padded(kind)}-0000-4000-8000-${padded(number, 12)}`;
const personId = (number: number): string => uuid(1, number);
const teamId = (number: number): string => uuid(2, number);

const idsOf = ({ conversations }: RandomModel): Ids => ({
  person: personId,
  channel: (number) => `19:channel${number}@thread.tacv2`,
  conversation: (number) => {
    const members = conversations[number]?.members.map(personId) ?? [];
    return members.length === 2 ? `19:${members.join("_")}@unq.gbl.spaces` : `19:chat${number}@thread.v2`;
  },
  message: ({ sentAt }) => String(sentAt),
});

/** Writes a model as data of the export tool of Teams: a folder with files for each team and person. */
export async function writeTeams(path: string, size: Size): Promise<Expected> {
  const writer = new TeamsWriter(path, new RandomModel(size));
  await writer.write();
  return writer.expected();
}

class TeamsWriter {
  readonly #path: string;
  readonly #model: RandomModel;
  readonly #ids: Ids;
  /** Apps are in no list, and an emoji is in the reactions with it. */
  readonly #apps = new Set<number>();
  readonly #emoji = new Set<string>();
  /** Authors and reactors of channels. */
  readonly #active = new Map<number, Set<number>>();
  #notices = 0;

  constructor(path: string, model: RandomModel) {
    this.#path = path;
    this.#model = model;
    this.#ids = idsOf(model);
  }

  async write(): Promise<void> {
    const { people, channels, conversations } = this.#model;
    const teams = [...FOLDERS.entries()];
    const users = people.filter(({ isBot }) => !isBot);
    await this.#save("users/usersList.json", users.map(userOf));
    await this.#save(
      "teams/teamsList.json",
      teams.map(([number, Name]) => ({ Name, GroupsId: teamId(number), Privacy: "Public" })),
    );
    await this.#save(
      "chats/chatsList.json",
      conversations.map(({ number, members }) => this.#chatOf(number, members)),
    );
    for (const [number] of teams) {
      const own = channels.filter(({ folder }) => folder === number);
      const members = users.map(({ number: user, name }) => ({
        Name: name,
        UserId: personId(user),
        Role: user === 0 ? "Owner" : null,
      }));
      await this.#save(
        `teams/${teamId(number)}/channels_${teamId(number)}.json`,
        own.map((channel) => this.#channelOf(channel)),
      );
      await this.#save(`teams/${teamId(number)}/teamMembers_${teamId(number)}.json`, members);
      const file = new JsonFile(join(this.#path, `teams/${teamId(number)}/messages_${teamId(number)}.json`));
      for (const channel of own)
        for (const message of this.#model.in({ channel: channel.number })) await file.add(...this.#records(message));
      await file.end();
    }
    for (const { number } of users) await this.#writeChats(number);
  }

  async #save(name: string, records: readonly object[]): Promise<void> {
    const file = new JsonFile(join(this.#path, name));
    await file.add(...records);
    await file.end();
  }

  /** Two members have a copy of each message. */
  async #writeChats(person: number): Promise<void> {
    const chats = this.#model.conversations.filter(({ members }) => members.slice(0, 2).includes(person));
    if (chats.length === 0) return;
    const file = new JsonFile(join(this.#path, `users/${personId(person)}/messages_${personId(person)}.json`));
    for (const { number } of chats)
      for (const message of this.#model.in({ conversation: number })) await file.add(...this.#records(message));
    await file.end();
  }

  #chatOf(number: number, members: readonly number[]): object {
    const list = members.map((member) => ({ userId: personId(member), displayName: this.#model.people[member]?.name }));
    return { id: this.#ids.conversation(number), members: list };
  }

  #channelOf({ number, name, description, createdAt, isPrivate, isArchived, isReadOnly }: Channel): object {
    return {
      Id: this.#ids.channel(number),
      CreatedDateTime: new Date(createdAt).toISOString(),
      DisplayName: name,
      Description: description,
      MembershipType: isPrivate ? "private" : "standard",
      IsArchived: isArchived,
      ModerationSettings: { UserNewMessageRestriction: isReadOnly ? "moderators" : "everyone" },
    };
  }

  #records(message: Message): object[] {
    const { place, sentAt, sender, reactions, hasNotice } = message;
    for (const person of [sender, ...reactions.flatMap(({ people }) => people)]) {
      if ("channel" in place) this.#activeIn(place.channel).add(person);
      this.#meet(person);
    }
    for (const { emoji } of reactions) if ("custom" in emoji) this.#emoji.add(emoji.custom);
    const record = this.#record(message);
    if (!hasNotice) return [record];
    this.#notices++;
    const body = { ContentType: "html", Content: "<systemEventMessage/>" };
    const notice = { Id: String(sentAt - 1), From: null, MessageType: "systemEventMessage", Body: body };
    return [
      { ...record, ...notice, CreatedDateTime: new Date(sentAt - 1).toISOString(), Mentions: [], Reactions: [] },
      record,
    ];
  }

  #activeIn(channel: number): Set<number> {
    const active = this.#active.get(channel) ?? new Set();
    this.#active.set(channel, active);
    return active;
  }

  #meet(person: number): void {
    if (this.#model.people[person]?.isBot) this.#apps.add(person);
  }

  #identity(number: number): object {
    const { name, isBot } = this.#model.people[number] as Person;
    this.#meet(number);
    const identity = { Id: personId(number), DisplayName: name };
    return isBot
      ? { Application: { ...identity, ApplicationIdentityType: "bot" }, User: null }
      : { Application: null, User: { ...identity, UserIdentityType: "aadUser", TenantId: uuid(3, 1) } };
  }

  #record(message: Message): object {
    const { place, index, root, sentAt, editedAt, sender, blocks, files, reactions } = message;
    const mentions: object[] = [];
    const html = written(blocks, this.#html(mentions)).join("");
    const pictures = files.map(
      (_, at) => `<p><img src="${pictureUrl(message, at)}" alt="${message.files[at]?.name}"></p>`,
    );
    const channel = "channel" in place ? this.#model.channels[place.channel] : undefined;
    const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
    return {
      Id: this.#ids.message(message),
      ReplyToId: root === undefined || root === index ? null : this.#ids.message(this.#model.message(root)),
      MessageType: "message",
      CreatedDateTime: time(sentAt),
      LastModifiedDateTime: time(sentAt),
      LastEditedDateTime: time(editedAt),
      DeletedDateTime: null,
      Subject: root === index ? subjectOf(message) : null,
      Importance: "normal",
      From: this.#identity(sender),
      Body: { ContentType: "html", Content: html + pictures.join("") },
      Attachments: [],
      Mentions: mentions,
      Reactions: reactions.flatMap(({ emoji, people }) =>
        people.map((person) => ({
          ...("custom" in emoji
            ? { ReactionType: "custom", DisplayName: emoji.custom, ReactionContentUrl: emojiUrl(emoji.custom) }
            : { ReactionType: emoji.character }),
          User: this.#identity(person),
        })),
      ),
      ChannelIdentity: channel && { ChannelId: placeOf(message, this.#ids), TeamId: teamId(channel.folder) },
      ChatId: channel ? null : placeOf(message, this.#ids),
    };
  }

  #html(mentions: object[]): Markup {
    const mention = (name: string, Mentioned: object): string => {
      const Id = mentions.push({ Id: mentions.length, MentionText: name, Mentioned }) - 1;
      return `<at id="${Id}">${escaped(name)}</at>`;
    };
    const conversation = { Id: "19:general", DisplayName: "General", ConversationIdentityType: "channel" };
    return {
      text: escaped,
      styled: (text, style) => `<${TAGS[style]}>${text}</${TAGS[style]}>`,
      person: (number) => mention(this.#model.people[number]?.name as string, this.#identity(number)),
      everyone: mention("General", { Conversation: conversation }),
      channel: (number) => channelText(number, this.#model),
      link: (url, label) => `<a href="${escaped(url)}">${escaped(label ?? url)}</a>`,
      emoji: ({ character, name }) => `<emoji id="${name}" alt="${character}" title="${name}"></emoji>`,
      custom: (name) => `<customemoji id="${name}" alt=":${name}:"></customemoji>`,
      line: ["<p>", "</p>"],
      quote: ["<blockquote><p>", "</p></blockquote>"],
      list: (isNumbered) => (isNumbered ? ["<ol>", "</ol>"] : ["<ul>", "</ul>"]),
      item: () => ["<li>", "</li>"],
      code: (code, language) => `<pre class="language-${language}"><code>${escaped(code)}</code></pre>`,
      betweenItems: "",
      betweenBlocks: "",
    };
  }

  expected(): Expected {
    const model = this.#model;
    const ids = this.#ids;
    const users = model.people.filter(({ isBot }) => !isBot).map(({ number }) => number);
    return {
      people: model.people
        .filter(({ number, isBot }) => !isBot || this.#apps.has(number))
        .map((person) => expectedPerson(person, ids)),
      channels: model.channels.map((channel) => ({
        ...channelIn(channel, ids),
        folder: FOLDERS[channel.folder],
        isDefault: false, // new people join no team
        // Members of a team see all its channels but the private ones, whose lists are not in the export.
        creatorId: channel.isPrivate ? undefined : personId(0),
        memberIds: [...new Set([...(channel.isPrivate ? [] : users), ...this.#activeIn(channel.number)])].map(personId),
      })),
      conversations: conversationsIn(model, ids),
      emoji: [...this.#emoji].map((name) => ({ name, picture: { url: emojiUrl(name) } })),
      messages: () => messagesOf(model, (message) => expectedMessage(message, model, ids)),
      leftOut: this.#notices > 0 ? { notices: this.#notices } : {},
    };
  }
}

const TAGS: Readonly<Record<Style, string>> = { bold: "strong", italic: "em", strike: "s", code: "code" };

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Teams has no links to channels. */
const channelText = (number: number, { channels }: RandomModel): string => channels[number]?.name as string;

const userOf = ({ number, name, email, role, isActive, joinedAt }: Person): object => ({
  Id: personId(number),
  DisplayName: name,
  Mail: email,
  UserPrincipalName: email,
  UserType: role === "guest" ? "Guest" : "Member",
  AccountEnabled: isActive,
  CreatedDateTime: new Date(joinedAt).toISOString(),
});

/** Some threads have a title. */
const subjectOf = ({ index, topic }: Message): string | null => (index % 2 === 0 ? topic : null);

const pictureUrl = ({ index }: Message, at: number): string =>
  `https://graph.microsoft.com/v1.0/chats/1/messages/${index}/hostedContents/${at}/$value`;
const emojiUrl = (name: string): string => `https://graph.microsoft.com/v1.0/emoji/${name}`;

/** Roles are those of the directory, and the export has no pictures and facts about apps. */
const expectedPerson = (person: Person, ids: Ids): ImportedPerson => ({
  ...personIn(person, ids),
  username: undefined,
  role: person.role === "guest" && !person.isBot ? "guest" : "member",
  isActive: person.isActive || person.isBot,
  joinedAt: person.isBot ? undefined : person.joinedAt,
});

function expectedMessage(message: Message, model: RandomModel, ids: Ids): ImportedMessage {
  const { root, index, files } = message;
  const first = root === undefined ? undefined : root === index ? message : model.message(root);
  const id = ids.message(message);
  return {
    ...messageIn(message, ids, { channel: (number) => channelText(number, model) }),
    threadId: first && ids.message(first),
    topic: (first && subjectOf(first)) ?? undefined,
    files: files.map(({ name }, at) => ({
      id: `${placeOf(message, ids)}/${id}/${at}`,
      name,
      source: { url: pictureUrl(message, at) },
    })),
    pinnedBy: undefined, // the export has no pins and stars
    starredBy: [],
  };
}
