/** Encodes a name for the fragment of a URL, as the protocol defines. */
export const encodeForHash = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");

const slug = (id: number, name: string): string => `${id}-${encodeForHash(name.replaceAll(" ", "-"))}`;

export interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

export const channelUrl = ({ id, name }: NamedChannel): string => `/#narrow/channel/${slug(id, name)}`;

/** `withId`, a message in the topic, keeps the link valid when the topic is renamed. */
export const topicUrl = (channel: NamedChannel, topic: string, withId?: number): string =>
  `${channelUrl(channel)}/topic/${encodeForHash(topic)}${withId === undefined ? "" : `/with/${withId}`}`;

export const messageUrl = (channel: NamedChannel, topic: string, messageId: number): string =>
  `${topicUrl(channel, topic)}/near/${messageId}`;

/** Whether a link within the organization leads to a single message. */
export const isMessageLink = (href: string): boolean =>
  /^\/?#narrow\/(?:(?:channel|stream)\/[^/]+\/(?:topic|subject)\/[^/]*|(?:dm|pm-with)\/[^/]+)\/near\/\d+$/.test(href);
