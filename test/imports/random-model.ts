import type { Reference, Role, Text } from "../../server/imports/model.ts";
import { seeded } from "../support/recording-files.ts";

/*
 * A random organization for exports of any size. Each message is a function of the seed and its number, so no list of
 * messages is in memory. Generators (`generators/`) write it as an export of a format.
 */

export interface Size {
  seed: number;
  messages: number;
}

export interface Person {
  number: number;
  /** Some people have the same name. */
  name: string;
  username: string;
  email: string | undefined;
  role: Role;
  isBot: boolean;
  isActive: boolean;
  timezone: string;
  joinedAt: number;
  hasPicture: boolean;
}

export interface Channel {
  number: number;
  name: string;
  description: string;
  isPrivate: boolean;
  isArchived: boolean;
  isDefault: boolean;
  isReadOnly: boolean;
  folder: number;
  createdAt: number;
  creator: number;
  members: readonly number[];
}

export interface Conversation {
  number: number;
  members: readonly number[];
}

export interface Emoji {
  character: string;
  /** The same in the lists of all formats. */
  name: string;
  code: string;
}

type Reacted = Emoji | { readonly custom: string };

export type Style = "bold" | "italic" | "strike" | "code";

export type Inline =
  | { readonly words: string; readonly style?: Style }
  | { readonly person: number }
  | { readonly everyone: true }
  | { readonly channel: number }
  | { readonly url: string; readonly label?: string }
  | { readonly emoji: Emoji }
  | { readonly custom: string };

export type Block =
  | { readonly paragraph: readonly Inline[] }
  | { readonly quote: readonly Inline[] }
  | { readonly list: readonly (readonly Inline[])[]; readonly isNumbered: boolean }
  | { readonly code: string; readonly language: string };

export type Place = { readonly channel: number } | { readonly conversation: number };

export interface Message {
  index: number;
  place: Place;
  sender: number;
  sentAt: number;
  editedAt: number | undefined;
  /** The first message of the thread, which has its own index. Only in channels. */
  root: number | undefined;
  /** The words that name its thread. */
  topic: string;
  blocks: readonly Block[];
  files: readonly { readonly name: string; readonly content: string }[];
  reactions: readonly { readonly emoji: Reacted; readonly people: readonly number[] }[];
  pinnedBy: number | undefined;
  starredBy: readonly number[];
  /** Whether a notice that the sender joined comes before it. */
  hasNotice: boolean;
}

export const FOLDERS = ["Product", "Operations"];
export const CUSTOM_EMOJI = ["party_blob", "team_coffee", "deploy_ok", "our_logo"];
export const EMOJI: readonly Emoji[] = [
  ["🎉", "tada"],
  ["🚀", "rocket"],
  ["🔥", "fire"],
  ["👀", "eyes"],
  ["😂", "joy"],
  ["🍕", "pizza"],
  ["🐛", "bug"],
  ["🐱", "cat"],
].map(([character = "", name = ""]) => ({ character, name, code: character.codePointAt(0)?.toString(16) ?? "" }));

const FIRST_NAMES = "Ada Ben Chloé Dmitri Emre Fatima Grüner Hana Ilse José Kim Li Mia Noor Olga Priya Quinn".split(
  " ",
);
const LAST_NAMES = "Abbott Berg Çelik Duarte Eriksen Fischer Gómez Hart Ivanova Jansen Kowalska Lee Moreau".split(" ");
const WORDS =
  `The a we you plan release server client and or but build test review tomorrow today later database query index page
  button label menu is are was has needs ready broken slow fast done open closed R&D snake_case (maybe) it's “quoted”
  Grüße 日本語 naïve 50 % x < y 5 > 3 C++ please thanks why because deploy rollback customer invoice report meeting notes`
    .split(/\s+/)
    .filter((word) => word !== "");
const LABELS = ["the plan", "Release notes", "ticket 42", "here"];
const CODES = ["npm run build", "let x = 1;", "a_b", "SELECT 1"];
const LINES = ["const total = items.length;", "if (a < b) return;", 'print("hi & bye")', "// TODO: later", "}"];

const START = Date.UTC(2021, 0, 4);
/** Messages are this far apart on average. */
const STEP_MS = 90_000;
/** Talks that happen at the same time. A talk has a place and can be a thread. */
const LANES = 8;
const TALK_LENGTH = 16;

class Dice {
  readonly #next: () => number;

  constructor(...seeds: readonly number[]) {
    this.#next = seeded(
      seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x85ebca6b) ^ (mixed >>> 13), 0x9e3779b9),
    );
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** At most `count` different items. */
  some<T>(items: readonly T[], count: number): T[] {
    return [...new Set(Array.from({ length: count }, () => this.pick(items)))];
  }

  words(from: number, to: number): string {
    const words = Array.from({ length: this.between(from, to) }, () => this.pick(WORDS));
    return `${this.pick(["Today", "Well", "Über", "Now", "Yes"])} ${words.join(" ")} ${this.pick(["end", "ok", "now"])}`;
  }
}

export class RandomModel {
  readonly seed: number;
  readonly messages: number;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  readonly conversations: readonly Conversation[];
  #talksByPlace: Map<string, number[][]> | undefined;

  constructor({ seed, messages }: Size) {
    this.seed = seed;
    this.messages = messages;
    const size = Math.floor(Math.sqrt(messages));
    const dice = new Dice(seed, 1);
    this.people = Array.from({ length: Math.min(1000, 14 + size) }, (_, number) => personOf(number, dice));
    this.channels = Array.from({ length: Math.min(150, 6 + Math.floor(size / 6)) }, (_, number) =>
      channelOf(number, this.people, dice),
    );
    this.conversations = conversationsOf(Math.min(200, 6 + Math.floor(size / 5)), this.people, dice);
  }

  *all(): Generator<Message> {
    for (let index = 0; index < this.messages; index++) yield this.message(index);
  }

  get places(): Place[] {
    return [
      ...this.channels.map(({ number }) => ({ channel: number })),
      ...this.conversations.map(({ number }) => ({ conversation: number })),
    ];
  }

  /** The messages of a place, oldest first. */
  *in(place: Place): Generator<Message> {
    this.#talksByPlace ??= this.#talks();
    for (const lanes of this.#talksByPlace.get(JSON.stringify(place)) ?? []) {
      for (let position = 0; position < TALK_LENGTH; position++) {
        for (const first of lanes) {
          const index = first + position * LANES;
          if (index < this.messages) yield this.message(index);
        }
      }
    }
  }

  /** The first messages of talks, by place: a list for those that happen at the same time. */
  #talks(): Map<string, number[][]> {
    const talks = new Map<string, number[][]>();
    for (let start = 0; start < this.messages; start += LANES * TALK_LENGTH) {
      for (let index = start; index < Math.min(start + LANES, this.messages); index++) {
        const key = JSON.stringify(this.#talk(index).place);
        const all = talks.get(key) ?? [];
        talks.set(key, all);
        const last = all.at(-1);
        if (last && (last[0] as number) >= start) last.push(index);
        else all.push([index]);
      }
    }
    return talks;
  }

  /** The messages after the first one of a thread. */
  repliesTo(root: number): Message[] {
    return this.#replies(root).map((index) => this.message(index));
  }

  #replies(root: number): number[] {
    if (Math.floor(root / LANES) % TALK_LENGTH !== 0) return [];
    const later = Array.from({ length: TALK_LENGTH - 1 }, (_, position) => root + (position + 1) * LANES);
    return later.filter((index) => index < this.messages && this.#isReply(index));
  }

  #talk(index: number) {
    const [lane, block] = [index % LANES, Math.floor(index / LANES / TALK_LENGTH)];
    const dice = new Dice(this.seed, 2, lane, block);
    const isDirect = dice.chance(0.2);
    // Some places have most of the messages.
    const skewed = (count: number) => Math.min(dice.below(count), dice.below(count));
    const place = isDirect
      ? { conversation: skewed(this.conversations.length) }
      : { channel: skewed(this.channels.length) };
    const isThread = dice.chance(0.5) && !isDirect;
    const root = block * TALK_LENGTH * LANES + lane;
    return { place, isThread, root, topic: `${dice.pick(LABELS)} ${lane}/${block}` };
  }

  #isReply(index: number): boolean {
    const { isThread, root } = this.#talk(index);
    return isThread && index !== root && new Dice(this.seed, 3, index).chance(0.7);
  }

  message(index: number): Message {
    const dice = new Dice(this.seed, 4, index);
    const { place, root, topic } = this.#talk(index);
    const members = "channel" in place ? this.#channel(place.channel).members : this.#membersOf(place.conversation);
    const isInThread = this.#isReply(index) || (index === root && this.#replies(index).length > 0);
    const files = dice.chance(0.03) ? Array.from({ length: dice.between(1, 2) }, () => fileOf(dice)) : [];
    const hasText = files.length === 0 || dice.chance(0.6);
    const sentAt = START + index * STEP_MS + dice.below(STEP_MS);
    return {
      index,
      place,
      sender: dice.pick(members),
      sentAt,
      editedAt: dice.chance(0.04) ? sentAt + dice.between(1, 3_600_000) : undefined,
      root: isInThread ? root : undefined,
      topic,
      blocks: hasText ? this.#blocks(dice) : [],
      files,
      reactions: dice.chance(0.15) ? reactionsOf(members, dice) : [],
      pinnedBy: dice.chance(0.005) && "channel" in place ? dice.pick(members) : undefined,
      starredBy: dice.chance(0.01) ? dice.some(members, 2) : [],
      hasNotice: dice.chance(0.02) && "channel" in place,
    };
  }

  #channel(number: number): Channel {
    return this.channels[number] as Channel;
  }

  #membersOf(conversation: number): readonly number[] {
    return (this.conversations[conversation] as Conversation).members;
  }

  #blocks(dice: Dice): Block[] {
    const blocks: Block[] = [];
    for (let left = dice.chance(0.8) ? 1 : dice.between(2, 4); left > 0; left--) {
      const block = this.#block(dice);
      // Two lists in a row are one list in most formats, and so are quotes.
      const isJoined = !isParagraph(block) && !isParagraph(blocks.at(-1));
      blocks.push(isJoined ? { paragraph: this.#inlines(dice) } : block);
    }
    return blocks;
  }

  #block(dice: Dice): Block {
    const kind = dice.below(20);
    if (kind === 0) return { quote: this.#inlines(dice) };
    if (kind === 1) {
      const list = Array.from({ length: dice.between(2, 4) }, () => this.#inlines(dice));
      return { list, isNumbered: dice.chance(0.5) };
    }
    if (kind === 2) {
      const lines = Array.from({ length: dice.between(1, 6) }, () => dice.pick(LINES));
      return { code: lines.join("\n"), language: dice.pick(["", "ts", "python"]) };
    }
    return { paragraph: this.#inlines(dice) };
  }

  #inlines(dice: Dice): Inline[] {
    const first: Inline = dice.chance(0.1)
      ? { person: dice.below(this.people.length) }
      : { words: dice.words(2, dice.chance(0.05) ? 120 : 14) };
    const second = this.#inline(dice);
    // Teams repeats a mention for each word of the name.
    const isRepeated = "person" in first && "person" in second;
    return dice.chance(0.6) || isRepeated ? [first] : [first, second, { words: dice.words(1, 5) }];
  }

  #inline(dice: Dice): Inline {
    const kind = dice.below(24);
    if (kind < 5) return { person: dice.below(this.people.length) };
    if (kind < 7) return { channel: dice.below(this.channels.length) };
    if (kind < 8) return { everyone: true };
    if (kind < 10) return { url: `https://example.org/a/${dice.below(1e6)}?b=1&c=2` };
    if (kind < 13) return { url: `https://example.org/a/${dice.below(1e6)}`, label: dice.pick(LABELS) };
    if (kind < 16) return { emoji: dice.pick(EMOJI) };
    if (kind < 17) return { custom: dice.pick(CUSTOM_EMOJI) };
    const style = dice.pick(["bold", "italic", "strike", "code"] as const);
    return { words: style === "code" ? dice.pick(CODES) : dice.pick(LABELS), style };
  }
}

const isParagraph = (block: Block | undefined): boolean => block === undefined || "paragraph" in block;

function personOf(number: number, dice: Dice): Person {
  const [first, last] = [dice.pick(FIRST_NAMES), dice.pick(LAST_NAMES)];
  const isBot = number >= 4 && dice.chance(0.05);
  const roles: readonly Role[] = ["owner", "administrator", "moderator", "guest"];
  const role = roles[number] ?? (!isBot && dice.chance(0.1) ? "guest" : "member");
  return {
    number,
    name: `${first} ${last}`,
    username: `${first.normalize("NFD").replace(/\W/g, "").toLowerCase()}.${number}`,
    email: isBot ? undefined : `p${number}@example.com`,
    role,
    isBot,
    isActive: number < 4 || dice.chance(0.9),
    timezone: dice.pick(["Europe/Berlin", "America/New_York", "Asia/Tokyo"]),
    joinedAt: START - dice.below(1e10),
    hasPicture: dice.chance(0.5),
  };
}

function channelOf(number: number, people: readonly Person[], dice: Dice): Channel {
  const isDefault = number === 0;
  const numbers = people.map((person) => person.number);
  const creator = dice.below(people.length);
  const some = [creator, ...dice.some(numbers, dice.between(2, Math.max(3, people.length >> 1)))];
  return {
    number,
    name: isDefault ? "general" : `${dice.pick(["plans", "help", "büro", "dev", "日本"])}-${number}`,
    description: dice.chance(0.7) ? dice.words(1, 6) : "",
    isPrivate: !isDefault && dice.chance(0.3),
    isArchived: !isDefault && dice.chance(0.15),
    isDefault,
    isReadOnly: !isDefault && dice.chance(0.1),
    folder: dice.below(FOLDERS.length),
    createdAt: START - dice.below(1e7) * 1000,
    creator,
    members: isDefault ? numbers : [...new Set(some)],
  };
}

/** Each has other members: in some formats a conversation is the set of its members. */
function conversationsOf(count: number, people: readonly Person[], dice: Dice): Conversation[] {
  const numbers = people.filter(({ isBot }) => !isBot).map(({ number }) => number);
  const all = new Map<string, number[]>();
  while (all.size < count) {
    const members = dice.some(numbers, dice.pick([1, 2, 2, 2, 3, 5])).sort((a, b) => a - b);
    all.set(members.join(), members);
  }
  return [...all.values()].map((members, number) => ({ number, members }));
}

const fileOf = (dice: Dice) => ({
  name: `${dice.pick(["plan", "Entwurf für", "screen shot"])} ${dice.below(1000)}.${dice.pick(["pdf", "png", "txt"])}`,
  content: dice.words(1, 20),
});

function reactionsOf(members: readonly number[], dice: Dice): Message["reactions"] {
  const custom: readonly Reacted[] = CUSTOM_EMOJI.map((name) => ({ custom: name }));
  const emoji = dice.some(dice.chance(0.2) ? custom : EMOJI, dice.between(1, 3));
  return emoji.map((each) => ({ emoji: each, people: dice.some(members, dice.between(1, 4)) }));
}

/** How a format writes a text. References of the neutral model have a part of their own. */
export interface Markup {
  /** A text with the characters that have a meaning escaped. */
  readonly text: (text: string) => string;
  readonly styled: (text: string, style: Style) => string;
  readonly person: (number: number) => string | Reference;
  readonly everyone: string | Reference;
  readonly channel: (number: number) => string | Reference;
  readonly link: (url: string, label: string | undefined) => string;
  readonly emoji: (emoji: Emoji) => string;
  readonly custom: (name: string) => string;
  readonly line: readonly [start: string, end: string];
  readonly quote: readonly [start: string, end: string];
  readonly list: (isNumbered: boolean) => readonly [start: string, end: string];
  readonly item: (number: number | undefined) => readonly [start: string, end: string];
  readonly code: (code: string, language: string) => string;
  readonly betweenItems: string;
  readonly betweenBlocks: string;
}

const MARKS: Readonly<Record<Style, string>> = { bold: "**", italic: "*", strike: "~~", code: "`" };

/** Markdown. Formats differ in their names of people and channels. */
export const MARKDOWN: Omit<Markup, "person" | "everyone" | "channel"> = {
  text: (text) => text,
  styled: (text, style) => MARKS[style] + text + MARKS[style],
  link: (url, label) => (label === undefined ? url : `[${label}](${url})`),
  emoji: ({ character }) => character,
  custom: (name) => `:${name}:`,
  line: ["", ""],
  quote: ["> ", ""],
  list: () => ["", ""],
  item: (number) => [number === undefined ? "- " : `${number}. `, ""],
  code: (code, language) => `\`\`\`${language}\n${code}\n\`\`\``,
  betweenItems: "\n",
  betweenBlocks: "\n\n",
};

export function written(blocks: readonly Block[], markup: Markup): Text {
  const parts: (string | Reference)[] = [];
  for (const [index, block] of blocks.entries()) {
    if (index > 0) parts.push(markup.betweenBlocks);
    if ("code" in block) parts.push(markup.code(block.code, block.language));
    else if ("quote" in block) parts.push(...around(block.quote, markup.quote, markup));
    else if ("paragraph" in block) parts.push(...around(block.paragraph, markup.line, markup));
    else {
      const [start, end] = markup.list(block.isNumbered);
      parts.push(start);
      for (const [at, item] of block.list.entries()) {
        if (at > 0) parts.push(markup.betweenItems);
        parts.push(...around(item, markup.item(block.isNumbered ? at + 1 : undefined), markup));
      }
      parts.push(end);
    }
  }
  return parts.filter((part) => part !== "");
}

function around(inlines: readonly Inline[], [start, end]: readonly [string, string], markup: Markup) {
  const inside = inlines.flatMap((inline, at) => [at === 0 ? "" : " ", inlineOf(inline, markup)]);
  return [start, ...inside, end];
}

function inlineOf(inline: Inline, markup: Markup): string | Reference {
  if ("words" in inline) {
    const text = markup.text(inline.words);
    return inline.style === undefined ? text : markup.styled(text, inline.style);
  }
  if ("person" in inline) return markup.person(inline.person);
  if ("channel" in inline) return markup.channel(inline.channel);
  if ("everyone" in inline) return markup.everyone;
  if ("url" in inline) return markup.link(inline.url, inline.label);
  return "emoji" in inline ? markup.emoji(inline.emoji) : markup.custom(inline.custom);
}
