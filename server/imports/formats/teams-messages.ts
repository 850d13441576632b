import { type Block, type Inline, link, paragraph, refer, styled, text, toText } from "../document.ts";
import { isEmoji } from "../emoji-names.ts";
import type { ImportedFile, ImportedMessage, ImportedReaction, LeftOut } from "../model.ts";
import { groupedReactions } from "../reactions.ts";
import { asFields, asList, asText, asTime, type Fields } from "../values.ts";
import { attachmentBlocks } from "./teams-attachments.ts";
import { identityIn, teamsField, teamsText } from "./teams-fields.ts";
import { type TeamsParts, teamsBlocks } from "./teams-html.ts";
import { customEmojiIn, isDeleted, isNotice, placeOf, subjectOf, type TeamsSurvey, UNKNOWN } from "./teams-survey.ts";

/** Older exports have these words. */
const REACTIONS: ReadonlyMap<string, string> = new Map([
  ["like", "👍"],
  ["heart", "❤️"],
  ["laugh", "😆"],
  ["surprised", "😮"],
  ["sad", "😢"],
  ["angry", "😡"],
]);

/** Longer topics are cut, so the message repeats the whole subject. */
const MAX_TOPIC = 60;

export class TeamsMessages {
  readonly survey: TeamsSurvey;
  readonly leftOut: LeftOut;
  /** IDs of messages by chat, as long as other files can contain copies. */
  readonly #done = new Map<string, Set<string>>();
  readonly #filesLeft = new Map<string, number>();
  readonly #chatsOfFiles = new Map<string, string[]>();

  constructor(survey: TeamsSurvey, leftOut: LeftOut) {
    this.survey = survey;
    this.leftOut = leftOut;
    for (const [id, { files }] of survey.chats) {
      this.#filesLeft.set(id, files.size);
      for (const file of files) {
        const chats = this.#chatsOfFiles.get(file) ?? [];
        this.#chatsOfFiles.set(file, chats);
        chats.push(id);
      }
    }
  }

  /** Forgets the messages of chats that no other file has. */
  endFile(file: string): void {
    for (const id of this.#chatsOfFiles.get(file) ?? []) {
      const left = (this.#filesLeft.get(id) ?? 0) - 1;
      this.#filesLeft.set(id, left);
      if (left <= 0) this.#done.delete(id);
    }
  }

  read(record: unknown): ImportedMessage | undefined {
    const message = asFields(record);
    const id = teamsText(message, "id");
    const { channel, chat } = placeOf(message);
    const place = channel ?? chat;
    const sentAt = asTime(teamsField(message, "createdDateTime")) ?? timeOfId(id);
    if (!message || id === undefined || place === undefined || sentAt === undefined) {
      this.leftOut.add("unreadable records");
      return undefined;
    }
    if (chat !== undefined && this.#isCopy(chat, id)) return undefined;
    if (isDeleted(message)) this.leftOut.add("deleted messages");
    else if (isNotice(message)) this.leftOut.add("notices");
    else return this.#written(message, { id, place, sentAt });
    return undefined;
  }

  #isCopy(chat: string, id: string): boolean {
    if ((this.survey.chats.get(chat)?.files.size ?? 0) < 2) return false;
    const done = this.#done.get(chat) ?? new Set();
    this.#done.set(chat, done);
    if (done.has(id)) return true;
    done.add(id);
    return false;
  }

  #written(
    message: Fields,
    { id, place, sentAt }: Pick<ImportedMessage, "id" | "place" | "sentAt">,
  ): ImportedMessage | undefined {
    const files: ImportedFile[] = [];
    const thread = this.#threadOf(message, id);
    const written = this.#blocks(message, { id, place, files });
    const markdown = toText([...titles(message, thread.topic), ...written]);
    if (files.length === 0 && markdown.length === 0) {
      this.leftOut.add("empty messages");
      return undefined;
    }
    const sender = identityIn(teamsField(message, "from")) ?? UNKNOWN;
    return {
      id,
      place,
      ...thread,
      senderId: sender.id,
      sentAt,
      editedAt: asTime(teamsField(message, "lastEditedDateTime")),
      text: markdown,
      files,
      reactions: this.#reactions(message),
      starredBy: [],
    };
  }

  /** A message without replies and subject is not a thread, although Teams shows it as a thread. */
  #threadOf(message: Fields, id: string): Pick<ImportedMessage, "threadId" | "topic"> {
    const { channel } = placeOf(message);
    const threads = channel === undefined ? undefined : this.survey.threads.get(channel);
    const threadId = teamsText(message, "replyToId") ?? id;
    if (!threads?.has(threadId)) return { threadId: undefined, topic: undefined };
    return { threadId, topic: threads.get(threadId) };
  }

  #blocks(message: Fields, { id, place, files }: { id: string; place: string; files: ImportedFile[] }): Block[] {
    const content = asText(teamsField(message, "body", "content"));
    const attachments = new Map(
      asList(teamsField(message, "attachments")).map((each, index) => [teamsText(each, "id") ?? `#${index}`, each]),
    );
    const fileId = (): string => `${place}/${id}/${files.length}`;
    const parts: TeamsParts = {
      mention: this.#mentionsIn(message),
      picture: (url, label, itemId) => picture({ url, label, itemId, id: fileId() }, files),
      attachment: (attachmentId) => {
        const attachment = attachments.get(attachmentId);
        // Forwarded messages have attachments too: each is shown once.
        attachments.delete(attachmentId);
        if (attachment === undefined) return [];
        return attachmentBlocks(attachment, { place, parts, files, fileId, leftOut: this.leftOut });
      },
    };
    const isText = /^text$/i.test(teamsText(message, "body", "contentType") ?? "html");
    const blocks = isText ? [paragraph(text(content))] : teamsBlocks(content, parts);
    for (const attachmentId of [...attachments.keys()]) blocks.push(...parts.attachment(attachmentId));
    return blocks;
  }

  #mentionsIn(message: Fields): TeamsParts["mention"] {
    const mentions = new Map(asList(teamsField(message, "mentions")).map((each) => [teamsText(each, "id"), each]));
    return (id, label) => {
      const mentioned = teamsField(mentions.get(id), "mentioned");
      const person = identityIn(mentioned);
      if (person) return refer({ person: person.id });
      const type = teamsText(mentioned, "conversation", "conversationIdentityType");
      if (type !== undefined || asFields(teamsField(mentioned, "conversation"))) return refer({ everyone: true });
      const group = teamsText(mentioned, "tag", "displayName");
      return group === undefined ? text(`@${label}`) : refer({ group });
    };
  }

  #reactions(message: Fields): ImportedReaction[] {
    const given = asList(teamsField(message, "reactions")).flatMap((reaction) => {
      const personId = identityIn(teamsField(reaction, "user"))?.id;
      const emoji = this.#reactionEmoji(reaction);
      if (personId !== undefined && emoji) return { emoji, personId };
      this.leftOut.add(personId === undefined ? "reactions of unknown people" : "reactions of unknown emoji");
      return [];
    });
    return groupedReactions(given);
  }

  #reactionEmoji(reaction: unknown): ImportedReaction["emoji"] | undefined {
    const type = teamsText(reaction, "reactionType") ?? "";
    const character = REACTIONS.get(type) ?? type;
    if (isEmoji(character)) return { character };
    const name = customEmojiIn(reaction);
    return name !== undefined && this.survey.emoji.has(name) ? { name } : undefined;
  }
}

/** IDs are milliseconds since the epoch. */
const timeOfId = (id: string | undefined): number | undefined =>
  id !== undefined && /^\d{13}$/.test(id) ? Number(id) : undefined;

const IMPORTANCE: ReadonlyMap<string, string> = new Map([
  ["high", "Important"],
  ["urgent", "Urgent"],
]);

/** Lines that Teams shows above a message: its importance, and its subject unless the topic is the same. */
function titles(message: Fields, topic: string | undefined): Block[] {
  const importance = IMPORTANCE.get(teamsText(message, "importance") ?? "");
  const subject = subjectOf(message);
  const isTopic = subject === topic && Array.from(subject ?? "").length <= MAX_TOPIC;
  return [importance, isTopic ? undefined : subject]
    .filter((line) => line !== undefined)
    .map((line) => paragraph(styled("bold", [text(line)])));
}

/** Graph serves pictures of messages to owners of a token. Other pictures are public, such as GIFs. */
function picture(
  { url, label, itemId, id }: { url: string; label: string; itemId: string | undefined; id: string },
  files: ImportedFile[],
): readonly Inline[] {
  if (!/\/hostedContents\//i.test(url) || !URL.canParse(url)) return [link(url, label === "" ? "image" : label)];
  const named = /\.\w{2,4}$/.test(label) ? label : "image.png";
  files.push({ id: `${id}${itemId === undefined ? "" : `/${itemId}`}`, name: named, source: { url } });
  return [];
}
