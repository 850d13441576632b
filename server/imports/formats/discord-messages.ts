import type { Archive } from "../archive.ts";
import { type Block, type Inline, labelOf, paragraph, refer, text, toText } from "../document.ts";
import { isEmoji } from "../emoji-names.ts";
import type { ImportedFile, ImportedMessage, ImportedReaction, LeftOut, Reference } from "../model.ts";
import {
  asCount,
  asFields,
  asList,
  asText,
  asTime,
  type Fields,
  fieldsIn,
  fieldsOf,
  firstText,
  unique,
} from "../values.ts";
import { attachedFiles, readEmbeds, stickerNames } from "./discord-files.ts";
import { type DiscordNames, discordBlocks } from "./discord-markup.ts";
import { isDirect, isThread, nameOf, type Place, personIdOf, type Source, timeOfId } from "./discord-sources.ts";
import type { Survey } from "./discord-survey.ts";

/** Types of messages from people and bots. Other types are notices. */
const WRITTEN = new Set(["Default", "Reply", "0", "19", "20", "23", "ChatInputCommand", "ContextMenuCommand"]);

/** Number of recent messages whose start replies can quote. */
const MAX_STARTS = 5000;
const EXCERPT_LENGTH = 80;

interface Start {
  readonly name: string;
  readonly content: string;
}

/** The name and the first words, without formatting and spoilers. */
function excerptOf({ name, content }: Start): string {
  const words = content
    .replace(/<[@#:a][^>\s]*>/g, "…")
    .replace(/\|\|[\s\S]*?(?:\|\||$)/g, "…")
    .replace(/[*_~`|>#\s]+/g, " ")
    .trim();
  const start = Array.from(words).slice(0, EXCERPT_LENGTH).join("");
  return words === "" ? name : `${name}: ${start}${start.length < words.length ? "…" : ""}`;
}

/** The parts of an export that its messages refer to. */
export interface Contents {
  readonly sources: ReadonlyMap<string, Source>;
  readonly places: ReadonlyMap<string, Place>;
  readonly survey: Survey;
}

/** Reads the messages of a source. */
export class MessageReader {
  readonly archive: Archive;
  readonly source: Source;
  readonly contents: Contents;
  readonly leftOut: LeftOut;
  readonly #place: Place;
  /** IDs of messages, if several files can contain them. */
  readonly #done: Set<string> | undefined;
  readonly #starts = new Map<string, Start>();
  readonly #channelsByName: ReadonlyMap<string, string>;

  constructor(archive: Archive, source: Source, contents: Contents, leftOut: LeftOut) {
    this.archive = archive;
    this.source = source;
    this.contents = contents;
    this.leftOut = leftOut;
    this.#place = contents.places.get(source.id) as Place;
    this.#done = contents.survey.overlapping.has(source.id) ? new Set() : undefined;
    this.#channelsByName = channelNames(source, contents.sources);
  }

  read(record: unknown, file: string): ImportedMessage | undefined {
    const message = asFields(record);
    const id = firstText(message?.id);
    const senderId = personIdOf(message?.author);
    const sentAt = asTime(message?.timestamp) ?? (id === undefined ? undefined : timeOfId(id));
    if (!message || id === undefined || senderId === undefined || sentAt === undefined) {
      this.leftOut.add("unreadable records");
      return undefined;
    }
    if (this.#done?.has(id)) return undefined;
    this.#done?.add(id);
    if (!WRITTEN.has(firstText(message.type) ?? "Default")) {
      this.leftOut.add("notices");
      return undefined;
    }
    return this.#written(message, file, { id, senderId, sentAt });
  }

  #written(
    message: Fields,
    file: string,
    { id, senderId, sentAt }: Pick<ImportedMessage, "id" | "senderId" | "sentAt">,
  ): ImportedMessage | undefined {
    const names = this.#namesIn(message);
    const holder = { archive: this.archive, jsonFile: file, messageId: `${this.source.id}/${id}` };
    const content = asText(message.content);
    const embeds = readEmbeds(message, names, holder, this.leftOut);
    const forwarded = this.#forwarded(message, names, holder);
    const files = [...attachedFiles(message, holder), ...forwarded.files, ...embeds.files];
    const written = [...discordBlocks(content, names), ...stickerNames(message), ...forwarded.blocks, ...embeds.blocks];
    this.#remember(id, message, content);
    const markdown = toText([...this.#command(message), ...this.#repliedTo(message), ...written]);
    if (files.length === 0 && (written.length === 0 || markdown.length === 0)) {
      this.leftOut.add("empty messages");
      return undefined;
    }
    return {
      id,
      place: this.#place.id,
      topic: this.#place.topic ?? this.#topicOfThread(id),
      senderId,
      sentAt,
      editedAt: asTime(message.timestampEdited),
      text: markdown,
      files,
      reactions: this.#reactions(message),
      pinnedBy: message.isPinned === true ? [] : undefined,
      starredBy: [],
    };
  }

  /** The message that starts a thread has the ID of the thread. */
  #topicOfThread(id: string): string | undefined {
    const thread = this.contents.places.get(id);
    return thread?.id === this.#place.id && id !== this.source.id ? thread.topic : undefined;
  }

  #remember(id: string, message: Fields, content: string): void {
    this.#starts.set(id, { name: nameOf(message.author), content: content.slice(0, 400) });
    for (const [oldest] of this.#starts) {
      if (this.#starts.size <= MAX_STARTS) break;
      this.#starts.delete(oldest);
    }
  }

  #linkTo(reference: unknown): Reference | undefined {
    const messageId = firstText(fieldsOf(reference).messageId);
    const channelId = firstText(fieldsOf(reference).channelId) ?? this.source.id;
    const place = this.contents.places.get(channelId);
    if (messageId === undefined || !place) return undefined;
    const start = this.#starts.get(messageId);
    return { message: messageId, place: place.id, label: labelOf(start ? excerptOf(start) : "an earlier message") };
  }

  #repliedTo(message: Fields): Block[] {
    if (!["Reply", "19"].includes(asText(message.type))) return [];
    const reference = this.#linkTo(message.reference);
    return reference ? [{ is: "quote", blocks: [paragraph(refer(reference))] }] : [];
  }

  #forwarded(
    message: Fields,
    names: DiscordNames,
    holder: Parameters<typeof attachedFiles>[1],
  ): { blocks: Block[]; files: ImportedFile[] } {
    const forwarded = asFields(message.forwardedMessage);
    if (!forwarded) return { blocks: [], files: [] };
    const inside = { ...holder, messageId: `${holder.messageId}/forwarded` };
    const embeds = readEmbeds(forwarded, names, inside, this.leftOut);
    const files = [...attachedFiles(forwarded, inside), ...embeds.files];
    const link = this.#linkTo(message.reference);
    const source: Inline[] = [text("Forwarded"), ...(link ? [text(" "), refer(link)] : [])];
    const content = discordBlocks(asText(forwarded.content), names);
    const blocks = [paragraph(...source), ...content, ...stickerNames(forwarded), ...embeds.blocks];
    return { blocks: [{ is: "quote", blocks }], files };
  }

  /** The slash command that a bot responds to. */
  #command(message: Fields): Block[] {
    const interaction = fieldsOf(message.interaction);
    const [name, person] = [firstText(interaction.name), personIdOf(interaction.user)];
    if (name === undefined || person === undefined) return [];
    return [paragraph(refer({ person }), text(" used "), { is: "code", text: `/${name}` })];
  }

  #reactions(message: Fields): ImportedReaction[] {
    const reactions: ImportedReaction[] = [];
    for (const reaction of fieldsIn(message.reactions)) {
      const personIds = unique(asList(reaction.users).map(personIdOf)).filter((id) => id !== undefined);
      this.leftOut.add("reactions of unknown people", (asCount(reaction.count) ?? 0) - personIds.length);
      if (personIds.length === 0) continue;
      const emoji = this.#reactionEmoji(fieldsOf(reaction.emoji));
      if (emoji) reactions.push({ emoji, personIds });
      else this.leftOut.add("reactions of unknown emoji", personIds.length);
    }
    return reactions;
  }

  #reactionEmoji(emoji: Fields): ImportedReaction["emoji"] | undefined {
    const [id, name] = [firstText(emoji.id), firstText(emoji.name)];
    const custom = id === undefined ? undefined : this.contents.survey.emoji.get(id);
    if (custom) return { name: custom.name };
    return id === undefined && name !== undefined && isEmoji(name) ? { character: name } : undefined;
  }

  #namesIn(message: Fields): DiscordNames {
    const { survey, places, sources } = this.contents;
    const mentioned = fieldsIn(message.mentions)
      .slice(0, 100)
      .flatMap((user) => {
        const person = personIdOf(user);
        const names = [firstText(user.nickname), firstText(user.name)];
        return person === undefined ? [] : names.flatMap((name) => (name === undefined ? [] : { person, name }));
      })
      .sort((a, b) => b.name.length - a.name.length);
    const inline = fieldsIn(message.inlineEmojis);
    return {
      person: (id) => (survey.people.has(id) ? { person: id } : undefined),
      role: (id) => {
        const group = survey.roles.get(id);
        return group === undefined ? undefined : { group };
      },
      channel: (id) => {
        const [place, source] = [places.get(id), sources.get(id)];
        if (!place || !source || isDirect(source)) return undefined;
        return [refer({ channel: place.id }), ...(place.topic === undefined ? [] : [text(` > ${place.topic}`)])];
      },
      mentioned: (rest) => {
        const found = mentioned.find(({ name }) => rest.startsWith(name));
        return found && { reference: { person: found.person }, length: found.name.length };
      },
      channelNamed: (name) => {
        const channel = this.#channelsByName.get(name);
        return channel === undefined ? undefined : { channel };
      },
      emoji: (name, given) => {
        const id = given ?? firstText(inline.find((emoji) => emoji.name === name)?.id);
        return (id === undefined ? undefined : survey.emoji.get(id)?.name) ?? name;
      },
    };
  }
}

/** Channels of the same guild by name, without ambiguous names. */
function channelNames({ guildId }: Source, sources: ReadonlyMap<string, Source>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const source of sources.values()) {
    if (source.guildId !== guildId || isThread(source) || isDirect(source)) continue;
    if (names.has(source.name)) ambiguous.add(source.name);
    names.set(source.name, source.id);
  }
  for (const name of ambiguous) names.delete(name);
  return names;
}
