import type { State } from "../../api/state-shape.ts";
import { characterOf, customEmoji, type EmojiName, findEmoji } from "../feed/emoji.ts";
import { matching } from "../model/search.ts";

export interface Completion {
  /** What replaces the typed word. */
  readonly text: string;
  readonly label: string;
  /** Beside the label: a picture's address, or characters. */
  readonly picture?: string;
  readonly symbol?: string;
  readonly command?: (typeof COMMANDS)[number];
}

/** A word that is being completed: `@an`, `#gen`, `#general>lun`, `:sm`, and a command `/po` at the beginning. */
export interface TypedWord {
  readonly kind: "@" | "#" | ":" | "/";
  readonly text: string;
  /** Where it begins. */
  readonly start: number;
}

const MAX_SHOWN = 8;
const WILDCARDS = ["all", "everyone", "topic"];

/** Commands that are offered; each has a text of this name in `writing.commands`. */
export const COMMANDS = ["me", "poll", "todo", "dark", "light", "ping"] as const;

/** The word before the caret, if it begins like something that can be completed. */
export function typedWord(text: string, caret: number): TypedWord | undefined {
  const [, command] = /^\/([a-z]*)$/.exec(text.slice(0, caret)) ?? [];
  if (command !== undefined) return { kind: "/", text: command, start: 0 };
  const [, kind, word] =
    /(?:^|[\s(])([@#:])(?:_)?(?:\*\*)?([^\s*@#:][^\n*@#:]{0,40}|)$/.exec(text.slice(0, caret)) ?? [];
  if (kind === undefined || word === undefined || (kind === ":" && word.length < 2)) return undefined;
  if (kind === ":" && /\s/.test(word)) return undefined;
  const start = text.slice(0, caret).lastIndexOf(kind);
  return { kind: kind as TypedWord["kind"], text: word.toLocaleLowerCase(), start };
}

export interface CompletionSources {
  readonly emoji: readonly EmojiName[];
  /** Names of the topics of a channel, the newest first. */
  topicsOf(channelId: number): readonly string[];
}

/** People, groups, channels, topics, emoji or commands for a typed word; those that begin with it first. */
export function completionsFor(state: State, { emoji, topicsOf }: CompletionSources, word: TypedWord): Completion[] {
  if (word.kind === "/")
    return COMMANDS.filter((command) => command.startsWith(word.text) && command !== word.text).map((command) => ({
      text: `/${command}`,
      label: `/${command}`,
      symbol: "/",
      command,
    }));
  if (word.kind === "#" && word.text.includes(">")) return topics(state, topicsOf, word.text);
  if (word.kind === ":")
    return findEmoji([...customEmoji(state), ...emoji], word.text, MAX_SHOWN).map(({ code, names, picture }) => {
      const name = names.find((one) => one.startsWith(word.text)) ?? names[0] ?? "";
      return { text: `:${name}:`, label: name, ...(picture ? { picture } : { symbol: characterOf(code) }) };
    });
  const all = word.kind === "#" ? channels(state) : people(state);
  const matching = all.filter(({ label }) => label.toLocaleLowerCase().includes(word.text));
  const startsWith = ({ label }: Completion) =>
    label
      .toLocaleLowerCase()
      .split(/\s/)
      .some((part) => part.startsWith(word.text));
  return [...matching.filter(startsWith), ...matching.filter((one) => !startsWith(one))].slice(0, MAX_SHOWN);
}

/** `general>lun` as links to topics of the channel. */
function topics(state: State, topicsOf: CompletionSources["topicsOf"], typed: string): Completion[] {
  const [channelName = "", words = ""] = typed.split(/>(.*)/s);
  const channel = channelNamed(state, channelName);
  if (!channel) return [];
  return matching(topicsOf(channel.stream_id), words.trim())
    .filter((topic) => topic !== "")
    .slice(0, MAX_SHOWN)
    .map((topic) => ({ text: `#**${channel.name}>${topic}**`, label: topic, symbol: "#" }));
}

/** The channel that a word like `general>lun` begins with. */
export const channelNamed = ({ subscriptions = [], never_subscribed = [], unsubscribed = [] }: State, name: string) =>
  [...subscriptions, ...unsubscribed, ...never_subscribed].find(
    (channel) => channel.name.toLocaleLowerCase() === name.trim().toLocaleLowerCase(),
  );

const channels = ({ subscriptions = [], never_subscribed = [], unsubscribed = [] }: State): Completion[] =>
  [...subscriptions, ...unsubscribed, ...never_subscribed]
    .filter(({ is_archived }) => !is_archived)
    .map(({ name }) => ({ text: `#**${name}**`, label: name, symbol: "#" }));

function people({ realm_users = [], realm_user_groups = [] }: State): Completion[] {
  const sameName = new Map<string, number>();
  for (const { full_name } of realm_users) sameName.set(full_name, (sameName.get(full_name) ?? 0) + 1);
  const users = realm_users
    .map(({ user_id, full_name, avatar_url }) => {
      const name = (sameName.get(full_name) ?? 0) > 1 ? `${full_name}|${user_id}` : full_name;
      return { text: `@**${name}**`, label: full_name, picture: avatar_url };
    })
    .sort((a, b) => a.label.localeCompare(b.label));
  const groups = realm_user_groups
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .map(({ name }) => ({ text: `@*${name}*`, label: name, symbol: "@" }));
  const wildcards = WILDCARDS.map((name) => ({ text: `@**${name}**`, label: name, symbol: "@" }));
  return [...users, ...groups, ...wildcards];
}
