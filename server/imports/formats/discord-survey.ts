import type { Archive } from "../archive.ts";
import type { ImportedEmoji, ImportedPerson } from "../model.ts";
import { asList, asText, asTime, type Fields, fieldsIn, fieldsOf, firstText } from "../values.ts";
import { sourceOf } from "./discord-files.ts";
import { nameOf, personIdOf } from "./discord-sources.ts";

const reactors = (message: Fields): unknown[] => fieldsIn(message.reactions).flatMap(({ users }) => asList(users));

/** People, roles and emoji, which the export has only in its messages. */
export class Survey {
  readonly archive: Archive;
  readonly people = new Map<string, ImportedPerson>();
  /** Authors and reactors by place. */
  readonly members = new Map<string, Set<string>>();
  readonly roles = new Map<string, string>();
  readonly emoji = new Map<string, ImportedEmoji>();
  /** Sources with files that can contain the same messages. */
  readonly overlapping = new Set<string>();
  readonly #emojiNames = new Set<string>();

  constructor(archive: Archive) {
    this.archive = archive;
  }

  add(message: Fields, placeId: string, file: string): void {
    const { author } = message;
    const members = this.members.get(placeId) ?? new Set();
    this.members.set(placeId, members);
    for (const user of [author, ...reactors(message)]) {
      const id = this.#addPerson(user, file);
      if (id !== undefined) members.add(id);
    }
    for (const user of [...asList(message.mentions), fieldsOf(message.interaction).user]) this.#addPerson(user, file);
    for (const role of fieldsIn(fieldsOf(author).roles)) {
      const [id, name] = [firstText(role.id), firstText(role.name)];
      if (id !== undefined && name !== undefined) this.roles.set(id, name);
    }
    if (message.type === "GuildMemberJoin") this.#addJoin(author, asTime(message.timestamp));
    this.#addEmojiOf(message, file);
  }

  #addPerson(user: unknown, file: string): string | undefined {
    const id = personIdOf(user);
    if (id === undefined) return undefined;
    const known = this.people.get(id);
    const fields = fieldsOf(user);
    const [username, discriminator] = [firstText(fields.name), firstText(fields.discriminator)];
    const hasNumber = discriminator !== undefined && !/^0+$/.test(discriminator);
    const picture = firstText(fields.avatarUrl);
    const isDefaultPicture = picture === undefined || picture.includes("/embed/avatars/");
    this.people.set(id, {
      id,
      name: nameOf(user),
      username: username !== undefined && hasNumber ? `${username}#${discriminator}` : username,
      role: "member",
      isBot: fields.isBot === true,
      isActive: !/^(?:deleted_user_|Deleted User\b)/.test(username ?? ""),
      joinedAt: known?.joinedAt,
      picture: isDefaultPicture ? known?.picture : sourceOf(this.archive, file, picture),
    });
    return id;
  }

  #addJoin(user: unknown, joinedAt: number | undefined): void {
    const id = personIdOf(user);
    const person = id === undefined ? undefined : this.people.get(id);
    if (person) this.people.set(person.id, { ...person, joinedAt });
  }

  #addEmojiOf(message: Fields, file: string): void {
    const parts = [message, fieldsOf(message.forwardedMessage), ...fieldsIn(message.embeds)];
    const found = [
      ...fieldsIn(message.reactions).map(({ emoji }) => fieldsOf(emoji)),
      ...parts.flatMap(({ inlineEmojis }) => fieldsIn(inlineEmojis)),
    ];
    for (const emoji of found) {
      const [id, name, url] = [firstText(emoji.id), firstText(emoji.name), firstText(emoji.imageUrl)];
      if (id !== undefined && name !== undefined && url !== undefined)
        this.#addEmoji(id, name, sourceOf(this.archive, file, url));
    }
    const content = asText(message.content);
    if (!content.includes("<")) return;
    for (const [, animated, name = "", id = ""] of content.matchAll(/<(a?):(\w{1,40}):(\d{1,20})>/g))
      this.#addEmoji(id, name, { url: `https://cdn.discordapp.com/emojis/${id}.${animated ? "gif" : "png"}` });
  }

  /** Makes names unique and removes characters that Hearth does not allow. */
  #addEmoji(id: string, given: string, picture: ImportedEmoji["picture"]): void {
    const known = this.emoji.get(id);
    if (known) {
      if (known.picture === "missing") this.emoji.set(id, { ...known, picture });
      return;
    }
    const wanted =
      given
        .toLowerCase()
        .replace(/[^a-z0-9_-]/g, "")
        .replace(/^[_-]+|[_-]+$/g, "") || `emoji_${this.emoji.size + 1}`;
    let name = wanted;
    for (let number = 2; this.#emojiNames.has(name); number++) name = `${wanted}_${number}`;
    this.#emojiNames.add(name);
    this.emoji.set(id, { name, picture });
  }
}
