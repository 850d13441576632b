import type { MentionableGroup, NamedPerson, RenderContext } from "../../markdown/context.ts";
import { channelUrl, topicUrl } from "../../markdown/narrow-links.ts";
import { renderMarkdown } from "../../markdown/render.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { canSeeChannel, topicsPolicyOf } from "../access/channels.ts";
import { renderContext } from "../access/mentions.ts";
import { everybodySeesEverybody } from "../access/people.ts";
import { notificationBot } from "../queries/bots.ts";
import { type Channel, channelById, channelByName } from "../queries/channels.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { displayedTopic, topicFromInput, topicId } from "../queries/topics.ts";
import { type User, userById } from "../queries/users.ts";
import { sendMessage } from "./messages.ts";

/*
 * The server itself posts as the notification bot, to which posting rules do not apply. Its notices are ordinary
 * messages, except that all mentions in them are silent.
 */

const CLIENT = "Hearth";

/** The topic for notices about a channel itself: that it was created, renamed or made public. */
export const EVENTS_TOPIC = "channel events";

/** The topic in which the channel's topics policy allows a notice. */
export function topicForNotice(reader: Reader, channel: Channel, topic: string): string {
  const policy = topicsPolicyOf(reader, channel);
  if (policy === "empty_topic_only") return "";
  return policy === "disable_empty_topic" && topic === "" ? EVENTS_TOPIC : topic;
}

interface NoticeOptions {
  /** Private channels that the notice may link to, since all its readers see them. It may link to all public ones. */
  naming?: readonly Channel[];
  /** Users for whom it is read from the start. */
  readBy?: ReadonlySet<number>;
}

/**
 * Posts a notice in a topic of a channel, archived or not; `content` is Markdown. The caller ensures that all readers
 * of the channel may know its content.
 */
export function notifyTopic(
  tx: Transaction,
  { id }: Channel,
  topic: string,
  content: string,
  { naming = [], readBy }: NoticeOptions = {},
): number {
  const bot = notificationBot(tx);
  const channel = channelById(tx, id) as Channel;
  const to = { channel, topic: topicForNotice(tx, channel, topic) };
  const ordinary = renderContext(tx, bot, { to });
  const named = [channel, ...naming];
  const context: RenderContext = {
    ...ordinary,
    channelByName: (name) => {
      const found = channelByName(tx, name);
      const mayName = found && (named.some((one) => one.id === found.id) || canSeeChannel(tx, bot, found));
      return mayName ? found : undefined;
    },
    newestInTopic: (channelId, name) =>
      named.some((one) => one.id === channelId)
        ? newestInTopic(tx, channelId, name)
        : ordinary.newestInTopic?.(channelId, name),
  };
  const rendered = renderMarkdown(content, silent(context));
  return sendMessage(tx, bot, {
    to,
    content,
    rendered,
    client: CLIENT,
    readBySender: true,
    ...(readBy ? { readBy } : {}),
  }).id;
}

/**
 * Sends a user a direct message; `content` is Markdown that names only what the user may see. Sends nothing to a
 * deactivated account.
 */
export function notifyUser(tx: Transaction, userId: number, content: string): void {
  const user = userById(tx, userId);
  if (!user?.is_active) return;
  const bot = notificationBot(tx);
  const to = { userIds: [bot.id, userId].sort((a, b) => a - b) };
  const rendered = renderMarkdown(content, silent(renderContext(tx, user, { to })));
  sendMessage(tx, bot, { to, content, rendered, client: CLIENT, readBySender: true });
}

/** The same context, but all mentions are silent. */
function silent(context: RenderContext): RenderContext {
  const person = <P extends NamedPerson | undefined>(found: P): P => found && { ...found, isSilent: true };
  return {
    ...context,
    usersByName: (name) => (context.usersByName?.(name) ?? []).map(person),
    userById: (id) => person(context.userById?.(id)),
    groupByName: (name): MentionableGroup | undefined => {
      const group = context.groupByName?.(name);
      return group && { ...group, isSilent: true, mayMention: true };
    },
    channelWildcard: false,
    topicWildcard: false,
    translateEmoticons: false,
  };
}

const newestInTopic = (reader: Reader, channelId: number, topic: string): number | undefined =>
  reader.value<number>(
    "SELECT id FROM messages WHERE topic_id = ? ORDER BY id DESC LIMIT 1",
    topicId(reader, channelId, topicFromInput(topic)) ?? 0,
  );

/** All that may mean something in Markdown: not what stands in names and sentences, nor a hyphen within a word. */
const WITH_MEANING = /(?<![\p{L}\p{N}])-|-(?![\p{L}\p{N}])|[^\p{L}\p{N}\p{M} '",;?%-]/gu;

/** Escapes text for Markdown: all characters with a possible meaning become entities. */
export const plainText = (text: string): string =>
  text.replaceAll(WITH_MEANING, (character) => `&#${character.codePointAt(0)};`);

/** A silent mention. */
export const personLink = ({ full_name, id }: User): string => `@_**${full_name}|${id}**`;

/**
 * Who did something, at the start of a notice that a channel keeps. Where guests may not know of everybody it names
 * nobody: guests who come to the channel later read it too.
 */
export const personInNotice = (reader: Reader, person: User): string =>
  everybodySeesEverybody(reader) ? personLink(person) : "Somebody";

/** Whether the protocol's short form can hold a channel's name and a topic. */
const fitsShortForm = (channel: Channel, topic = ""): boolean =>
  !/[*>]/.test(channel.name) && !/\*|@\d+$/.test(topic) && [...channel.name, ...topic].length <= 250;

export const channelLink = (channel: Channel): string =>
  fitsShortForm(channel) ? `#**${channel.name}**` : `[#${plainText(channel.name)}](${channelUrl(channel)})`;

export const topicLink = (channel: Channel, topic: string): string =>
  fitsShortForm(channel, topic)
    ? `#**${channel.name}>${topic}**`
    : `[#${plainText(channel.name)} > ${plainText(displayedTopic(topic, false))}](${topicUrl(channel, topic)})`;

/** Quotes Markdown. No row of backticks in the text is as long as the fence, so nothing in it ends the quote. */
export function quoteOf(text: string): string {
  const rows = new Set([...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  let length = 3;
  while (rows.has(length)) length += 1;
  const fence = "`".repeat(length);
  return `${fence}quote\n${text}\n${fence}`;
}

/** A heading with a quote of a message below it, cut if the two are too long for a message. */
export function withQuote(heading: string, text: string): string {
  const letters = [...text];
  const around = [...`${heading}\n\n${quoteOf(text)}`].length - letters.length;
  const room = MAX_MESSAGE_LENGTH - around;
  const quote = letters.length <= room ? text : `${letters.slice(0, room - 4).join("")}\n[…]`;
  return `${heading}\n\n${quoteOf(quote)}`;
}
