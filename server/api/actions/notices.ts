import type { MentionableGroup, NamedPerson, RenderContext } from "../../markdown/context.ts";
import { quoteOf, renderMarkdown } from "../../markdown/render.ts";
import { channelUrl, encodeForHash, topicUrl } from "../../markdown/urls.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { canSeeChannel, topicsPolicyOf } from "../access/channels.ts";
import { addressOfMessage, type Destination } from "../access/destinations.ts";
import { renderContext } from "../access/mentions.ts";
import { everybodySeesEverybody } from "../access/people.ts";
import { notificationBot, ownerNotifiedAt } from "../queries/bots.ts";
import { type Channel, channelById, channelByName } from "../queries/channels.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { displayedTopic, EVENTS_TOPIC, topicFromInput, topicId } from "../queries/topics.ts";
import { type User, userById } from "../queries/users.ts";
import { sendMessage } from "./messages.ts";

/*
 * System messages: the server posts as the notification bot, which posting rules do not restrict. Mentions in its
 * messages are silent.
 */

/** The public protocol's name for the server itself. */
const CLIENT = "Internal";

/** The topic that the channel's policy allows. */
export function topicForNotice(reader: Reader, channel: Channel, topic: string): string {
  const policy = topicsPolicyOf(reader, channel);
  if (policy === "empty_topic_only") return "";
  return policy === "disable_empty_topic" && topic === "" ? EVENTS_TOPIC : topic;
}

interface NoticeOptions {
  /** Private channels that the message can link to, because all its readers can see them. */
  naming?: readonly Channel[];
  /** Users for whom the message is read immediately. */
  readBy?: ReadonlySet<number>;
}

/**
 * Posts Markdown in a topic, even in an archived channel. All readers of the channel must be allowed to know its
 * content.
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
 * Sends Markdown as a direct message, and returns its ID. It must mention only what the user can see. Sends nothing to a
 * deactivated user.
 */
export function notifyUser(tx: Transaction, userId: number, content: string): number | undefined {
  const user = userById(tx, userId);
  if (!user?.is_active) return undefined;
  const bot = notificationBot(tx);
  const to = { userIds: [bot.id, userId].sort((a, b) => a - b) };
  const rendered = renderMarkdown(content, silent(renderContext(tx, user, { to })));
  return sendMessage(tx, bot, { to, content, rendered, client: CLIENT, readBySender: true }).id;
}

/** Makes all mentions silent. */
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

/** Characters with a possible meaning in Markdown, except common punctuation and hyphens within words. */
const WITH_MEANING = /(?<![\p{L}\p{N}])-|-(?![\p{L}\p{N}])|[^\p{L}\p{N}\p{M} '",;?%-]/gu;

/** Escapes Markdown with character entities. */
export const plainText = (text: string): string =>
  text.replaceAll(WITH_MEANING, (character) => `&#${character.codePointAt(0)};`);

/** A silent mention. */
export const personLink = ({ full_name, id }: User): string => `@_**${full_name}|${id}**`;

/** The person's name, for a message that a channel keeps. Returns "Somebody" if some users cannot see everyone. */
export const personInNotice = (reader: Reader, person: User): string =>
  everybodySeesEverybody(reader) ? personLink(person) : "Somebody";

/** Whether the protocol's short link syntax can express the names. */
const fitsShortForm = (channel: Channel, topic = ""): boolean =>
  !/[*>]/.test(channel.name) && !/\*|@\d+$/.test(topic) && [...channel.name, ...topic].length <= 250;

export const channelLink = (channel: Channel): string =>
  fitsShortForm(channel) ? `#**${channel.name}**` : `[#${plainText(channel.name)}](${channelUrl(channel)})`;

export const topicLink = (channel: Channel, topic: string): string =>
  fitsShortForm(channel, topic)
    ? `#**${channel.name}>${topic}**`
    : `[#${plainText(channel.name)} > ${plainText(displayedTopic(topic, false))}](${topicUrl(channel, topic)})`;

/** The URL of a sent message, and Markdown that links to it. Neither names a channel that its sender cannot see. */
export function linksToMessage(
  reader: Reader,
  sender: User,
  { id, to, baseUrl }: { id: number; to: Destination; baseUrl: string },
): { url: string; link: string } {
  if ("channel" in to && !canSeeChannel(reader, sender, to.channel)) {
    const url = `${baseUrl}/#narrow/channel/${to.channel.id}/topic/${encodeForHash(to.topic)}/near/${id}`;
    return { url, link: url };
  }
  const url = `${baseUrl}${addressOfMessage(id, to, sender)}`;
  if (!("channel" in to)) return { url, link: url };
  const location = `#${to.channel.name} > ${displayedTopic(to.topic, false)}`;
  return { url, link: `[${plainText(location)} @ 💬](${url})` };
}

/** Shortens the quote if the message would be too long. */
export function withQuote(heading: string, text: string): string {
  const letters = [...text];
  const around = [...`${heading}\n\n${quoteOf(text)}`].length - letters.length;
  const room = MAX_MESSAGE_LENGTH - around;
  const quote = letters.length <= room ? text : `${letters.slice(0, room - 4).join("")}\n[…]`;
  return `${heading}\n\n${quoteOf(quote)}`;
}

const NOTICE_EVERY_MS = 60_000;

/** Sends at most one message per minute. The delivery log contains everything. */
export function notifyBotOwner(tx: Transaction, bot: User, content: string): void {
  if (bot.bot_owner_id === null || Math.abs(tx.now - ownerNotifiedAt(tx, bot.id)) < NOTICE_EVERY_MS) return;
  tx.run("UPDATE bots SET notified_at = ? WHERE user_id = ?", tx.now, bot.id);
  notifyUser(tx, bot.bot_owner_id, content);
}
