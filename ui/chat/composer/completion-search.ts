import type { State } from "../../api/state-shape.ts";
import { characterOf } from "../../parts/emoji-characters.ts";
import { folded } from "../../parts/folded.ts";
import { customEmoji, type EmojiName, findEmoji } from "../emoji/emoji.ts";
import { channelLink, groupMention, personMention, topicLink, unescapedName } from "../model/named.ts";
import { matching } from "../model/search.ts";
import { isInCode } from "./code.ts";

export interface Completion {
  /** Replaces the typed word. */
  readonly text: string;
  readonly label: string;
  /** A URL. */
  readonly picture?: string;
  readonly symbol?: string;
  /** Distinguishes people with the same name. */
  readonly hint?: string;
  readonly command?: (typeof COMMANDS)[number];
}

/**
 * A word to complete: `@an`, `#gen`, `#general>lun`, `#**general** >lun`, `:sm`, or at the start of the text a command
 * `/po`.
 */
export interface TypedWord {
  readonly kind: "@" | "#" | ":" | "/";
  readonly text: string;
  readonly start: number;
}

const MAX_SHOWN = 8;
const WILDCARDS = ["all", "everyone", "topic"];

/** Each has a text in `writing.commands`. */
export const COMMANDS = ["me", "poll", "todo", "dark", "light", "ping"] as const;

/** A completed channel ends with a space. */
const TOPIC_AFTER_LINK = /#\*\*([^\n*>]+)\*\* ?>([^\s*@#:][^\n*@#:]{0,60}|)$/;

/** The word before the caret if it can be completed. Code has no mentions, links or emoji. */
export function typedWord(text: string, caret: number): TypedWord | undefined {
  const word = wordBefore(text, caret);
  return word && !isInCode(text, word.start) ? word : undefined;
}

function wordBefore(text: string, caret: number): TypedWord | undefined {
  const [, command] = /^\/([a-z]*)$/.exec(text.slice(0, caret)) ?? [];
  if (command !== undefined) return { kind: "/", text: command, start: 0 };
  const afterLink = TOPIC_AFTER_LINK.exec(text.slice(0, caret));
  if (afterLink) {
    const [whole, channel = "", topic = ""] = afterLink;
    const typed = `${unescapedName(channel)}>${topic}`;
    return { kind: "#", text: typed.toLocaleLowerCase(), start: caret - whole.length };
  }
  const [, kind, word] =
    /(?:^|[\s(])([@#:])(?:_)?(?:\*\*)?([^\s*@#:][^\n*@#:]{0,40}|)$/.exec(text.slice(0, caret)) ?? [];
  if (kind === undefined || word === undefined || (kind === ":" && word.length < 2)) return undefined;
  if (kind === ":" && /\s/.test(word)) return undefined;
  const start = text.slice(0, caret).lastIndexOf(kind);
  return { kind: kind as TypedWord["kind"], text: word.toLocaleLowerCase(), start };
}

export interface CompletionSources {
  readonly emoji: readonly EmojiName[];
  /** Newest first. */
  topicsOf(channelId: number): readonly string[];
  /** People in the open conversation, the last sender first. */
  nearby?(): readonly number[];
}

/** Completions of a word. Names that start with it come first. */
export function completionsFor(
  state: State,
  { emoji, topicsOf, nearby }: CompletionSources,
  word: TypedWord,
): Completion[] {
  if (word.kind === "/")
    return COMMANDS.filter((command) => command.startsWith(word.text) && command !== word.text).map((command) => ({
      text: `/${command}`,
      label: `/${command}`,
      symbol: "/",
      command,
    }));
  if (word.kind === ":")
    return findEmoji([...customEmoji(state), ...emoji], word.text, MAX_SHOWN).map(({ code, names, picture }) => {
      const name = names.find((one) => one.startsWith(word.text)) ?? names[0] ?? "";
      return { text: `:${name}:`, label: name, ...(picture ? { picture } : { symbol: characterOf(code) }) };
    });
  if (word.kind === "@") return found(people(state), word.text, nearby?.() ?? []);
  return [...topics(state, topicsOf, word.text), ...found(channels(state), word.text)].slice(0, MAX_SHOWN);
}

interface Candidate extends Completion {
  readonly userId?: number;
}

/** Sorts names that have a word with the typed prefix first, then people in the conversation, then by name. */
function found(all: readonly Candidate[], typed: string, nearby: readonly number[] = []): Completion[] {
  const wanted = folded(typed);
  const nearness = new Map(nearby.map((id, at) => [id, at]));
  const near = ({ userId = 0 }: Candidate) => nearness.get(userId) ?? Number.POSITIVE_INFINITY;
  const begins: Candidate[] = [];
  const contains: Candidate[] = [];
  for (const one of all) {
    const label = folded(one.label);
    if (!label.includes(wanted)) continue;
    const isBeginning = label.startsWith(wanted) || label.split(/\s/).some((part) => part.startsWith(wanted));
    (isBeginning ? begins : contains).push(one);
  }
  const nearFirst = (list: Candidate[]) => list.sort((a, b) => (near(a) === near(b) ? 0 : near(a) - near(b)));
  return [...nearFirst(begins), ...nearFirst(contains)].slice(0, MAX_SHOWN);
}

/** Completes `general>lun` to links to topics. */
function topics(state: State, topicsOf: CompletionSources["topicsOf"], typed: string): Completion[] {
  const { channel, topic = "" } = channelBefore(state, typed) ?? {};
  if (!channel) return [];
  return matching(topicsOf(channel.stream_id), folded(topic.trim()))
    .filter((topic) => topic !== "")
    .slice(0, MAX_SHOWN)
    .map((name) => ({ text: topicLink(channel.name, name), label: name, symbol: "#" }));
}

/** The channel and topic of `general>lun`. The channel's name can have a `>` too. */
export function channelBefore(state: State, typed: string) {
  for (let at = typed.indexOf(">"); at >= 0; at = typed.indexOf(">", at + 1)) {
    const channel = channelNamed(state, typed.slice(0, at));
    if (channel) return { channel, topic: typed.slice(at + 1) };
  }
  return undefined;
}

const channelNamed = ({ subscriptions = [], never_subscribed = [], unsubscribed = [] }: State, name: string) =>
  [...subscriptions, ...unsubscribed, ...never_subscribed].find(
    (channel) => channel.name.toLocaleLowerCase() === name.trim().toLocaleLowerCase(),
  );

const channels = ({ subscriptions = [], never_subscribed = [], unsubscribed = [] }: State): Completion[] =>
  [...subscriptions, ...unsubscribed, ...never_subscribed]
    .filter(({ is_archived }) => !is_archived)
    .map(({ name }) => ({ text: channelLink(name), label: name, symbol: "#" }));

type People = NonNullable<State["realm_users"]>;
const listed = new WeakMap<People, readonly Candidate[]>();
const byName = new Intl.Collator();

/** Sorted by name; an email address distinguishes people with the same name. */
function listOf(users: People): readonly Candidate[] {
  const cached = listed.get(users);
  if (cached) return cached;
  const sameName = new Map<string, number>();
  for (const { full_name } of users) sameName.set(full_name, (sameName.get(full_name) ?? 0) + 1);
  const list = users
    .map(({ user_id: userId, full_name, avatar_url, email, delivery_email }): Candidate => {
      const isShared = (sameName.get(full_name) ?? 0) > 1;
      const hint = isShared ? (delivery_email ?? email) : undefined;
      const text = personMention({ full_name, user_id: userId }, isShared);
      return { userId, text, label: full_name, picture: avatar_url, ...(hint && { hint }) };
    })
    .sort((a, b) => byName.compare(a.label, b.label));
  listed.set(users, list);
  return list;
}

const NOBODY: People = [];

function people({ realm_users = NOBODY, realm_user_groups = [] }: State): Candidate[] {
  const groups = realm_user_groups
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .map(({ name, description }) => ({ text: groupMention(name), label: name, symbol: "@", hint: description }));
  const wildcards = WILDCARDS.map((name) => ({ text: `@**${name}**`, label: name, symbol: "@" }));
  return [...listOf(realm_users), ...groups, ...wildcards];
}
