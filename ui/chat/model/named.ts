import type { Person } from "./selectors.ts";

/*
 * Mentions of people and groups, and links to channels and topics, as Markdown. A character that would end a name or
 * mean something else in it is a reference (docs/protocol.md#names-in-messages).
 */

const escaped = (name: string, special: RegExp): string =>
  name.replace(special, (character) => `&#${character.charCodeAt(0)};`);

const CHANNEL = /[*>]|&(?=#\d)/g;
/** An `@` with a number at the end would link to a message. */
const TOPIC = /\*|&(?=#\d)|@(?=\d+$)/g;
const GROUP = /\*|&(?=#\d)/g;

export const channelLink = (channel: string): string => `#**${escaped(channel, CHANNEL)}**`;

export const topicLink = (channel: string, topic: string): string =>
  `#**${escaped(channel, CHANNEL)}>${escaped(topic, TOPIC)}**`;

export const groupMention = (group: string): string => `@*${escaped(group, GROUP)}*`;

/** These names mention everyone, and `Ann|3` the person 3. */
const AMBIGUOUS = /^(?:all|everyone|channel|stream|topic)$|\|\d+$/;

/** `@**Ann**`, with the id if the name alone could mean something else. */
export const personMention = ({ full_name, user_id }: Pick<Person, "full_name" | "user_id">, isShared: boolean) =>
  isShared || AMBIGUOUS.test(full_name) ? `@**${full_name}|${user_id}**` : `@**${full_name}**`;

/** The name in a link. */
export const unescapedName = (written: string): string =>
  written.replace(/&#(38|42|62|64);/g, (_, code: string) => String.fromCharCode(Number(code)));
