import type { MarkdownIt, StateInline } from "markdown-it";
import type { MentionableGroup, NamedPerson, Rendering } from "./context.ts";
import { readTime } from "./times.ts";
import { channelUrl, messageUrl, type NamedChannel, topicUrl } from "./urls.ts";

/*
 * The protocol's inline syntax: mentions, links to channels, topics and messages, times, formulas; and its rules for
 * `*`, `~~` and backticks. `_` and `\` are ordinary characters. Tokens carry their meaning in `meta`; html.ts writes
 * them.
 */

export type InlineMeta =
  | { is: "mention"; className: string; id?: string; attribute?: string; text: string }
  | { is: "channel"; className: string; id?: number; href: string; channel: string; topic?: string; after?: string }
  | { is: "time"; at: string | undefined; text: string }
  | { is: "math"; source: string };

export function addInlines(markdown: MarkdownIt): void {
  const { ruler, ruler2 } = markdown.inline;
  ruler.disable(["escape", "image", "autolink", "html_inline"]);
  ruler2.disable("strikethrough");
  ruler.at("newline", newline);
  ruler.at("backticks", backticks);
  ruler.at("strikethrough", strikethrough);
  ruler.at("emphasis", emphasis);
  ruler.before("emphasis", "mention", mention);
  ruler.before("emphasis", "channel", channel);
  ruler.before("emphasis", "math", math);
  ruler.before("emphasis", "time", time);
}

/** Fields that the types of markdown-it lack. */
type State = StateInline & { linkLevel: number; _prev_delimiters: unknown[]; runs?: Map<number, number[]> };

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || Number.isNaN(code);

function newline(inlineState: StateInline, silent: boolean): boolean {
  const state = inlineState as State;
  if (state.src.charCodeAt(state.pos) !== 10) return false;
  if (!silent) {
    state.pending = state.pending.trimEnd();
    state.push("softbreak", "br", 0);
    // Emphasis ends with its line: the delimiters of this line are paired with each other only.
    if (state._prev_delimiters.length === 0) {
      state.tokens_meta.push({ delimiters: state.delimiters });
      state.delimiters = [];
    }
  }
  state.pos++;
  while (state.pos < state.posMax && isBlank(state.src.charCodeAt(state.pos))) state.pos++;
  return true;
}

/** Code keeps its spaces. Indexes all runs of backticks once, so that unclosed ones cost nothing. */
function backticks(inlineState: StateInline, silent: boolean): boolean {
  const state = inlineState as State;
  if (state.src.charCodeAt(state.pos) !== 96) return false;
  if (!state.runs) {
    state.runs = new Map();
    for (const run of state.src.matchAll(/`+/g)) {
      const starts = state.runs.get(run[0].length);
      if (starts) starts.push(run.index);
      else state.runs.set(run[0].length, [run.index]);
    }
  }
  let end = state.pos;
  while (end < state.posMax && state.src.charCodeAt(end) === 96) end++;
  const length = end - state.pos;
  const closing = firstFrom(state.runs.get(length) ?? [], end);
  if (closing === undefined || closing + length > state.posMax) {
    if (!silent) state.pending += state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  }
  if (!silent) {
    state.push("code_inline", "code", 0).content = state.src.slice(end, closing).replaceAll("\n", " ");
  }
  state.pos = closing + length;
  return true;
}

/** The first of ascending numbers that is at least `min`. */
function firstFrom(numbers: readonly number[], min: number): number | undefined {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < min) low = middle + 1;
    else high = middle;
  }
  return numbers[low];
}

/** `~~…~~` within a line, with or without spaces. */
function strikethrough(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== 126) return false;
  let from = pos;
  while (from < posMax && src.charCodeAt(from) === 126) from++;
  const asText = (): boolean => {
    if (!silent) state.pending += src.slice(pos, from);
    state.pos = from;
    return true;
  };
  if (from - pos !== 2) return asText();
  const end = src.indexOf("~", from);
  const isClosed = end > from && end + 2 <= posMax && src.charCodeAt(end + 1) === 126;
  if (!isClosed || (end + 2 < posMax && src.charCodeAt(end + 2) === 126)) return asText();
  if (src.slice(from, end).includes("\n")) return asText();
  if (!silent) {
    state.push("del_open", "del", 1);
    state.pos = from;
    state.posMax = end;
    state.md.inline.tokenize(state);
    state.push("del_close", "del", -1);
    state.posMax = posMax;
  }
  state.pos = end + 2;
  return true;
}

/** `*` opens before and closes after any character except whitespace, so that it works with all punctuation. */
function emphasis(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== 42) return false;
  let end = state.pos;
  while (end < state.posMax && state.src.charCodeAt(end) === 42) end++;
  const length = end - state.pos;
  const open = end < state.posMax && !/\s/.test(state.src[end] as string);
  const close = state.pos > 0 && !/\s/.test(state.src[state.pos - 1] as string);
  for (let index = 0; index < length; index++) {
    state.push("text", "", 0).content = "*";
    state.delimiters.push({ marker: 42, length, token: state.tokens.length - 1, end: -1, open, close });
  }
  state.pos = end;
  return true;
}

/** Mentions and channel links start a word, or follow an opening bracket or quotation mark. */
const isAtWordStart = (state: StateInline): boolean =>
  state.pos === 0 || /[\s'"({[/<,:]/.test(state.src[state.pos - 1] as string);

const PERSON = /@(_?)\*\*([^*\n]{1,300})\*\*/y;
const GROUP = /@(_?)\*([^*\n]{1,600})\*(?!\*)/y;
const CHANNEL_WILDCARDS = new Set(["all", "everyone", "channel", "stream"]);

const at = (pattern: RegExp, state: StateInline): RegExpExecArray | null => {
  pattern.lastIndex = state.pos;
  const match = pattern.exec(state.src);
  return match && pattern.lastIndex <= state.posMax ? match : null;
};

function lookUpOnce<Found>(rendering: Rendering, key: string, lookUp: () => Found): Found {
  const cached = rendering.resolved.get(key) as Found | undefined;
  if (cached !== undefined || rendering.resolved.has(key)) return cached as Found;
  const found = lookUp();
  rendering.resolved.set(key, found);
  return found;
}

/** Names can have characters of the syntax as references: `&#42;` for a star (docs/protocol.md#names-in-messages). */
export const unescaped = (written: string): string =>
  written.replace(/&#(38|42|62|64);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** A name that literally contains a reference comes first. */
function lookUpNamed<Found>(written: string, lookUp: (name: string) => Found | undefined): Found | undefined {
  const found = lookUp(written);
  const name = unescaped(written);
  return found === undefined && name !== written ? lookUp(name) : found;
}

const folded = (name: string): string => name.normalize("NFKC").toLowerCase();

function personNamed({ context }: Rendering, written: string): NamedPerson | undefined {
  const [, name = "", id] = /^(.*)\|(\d{1,15})$/.exec(written) ?? [];
  if (id !== undefined) {
    const person = context.userById?.(Number(id));
    if (person && (name === "" || folded(person.name) === folded(name))) return person;
  }
  const [first, ...others] = context.usersByName?.(written) ?? [];
  return others.reduce((lowest, person) => (lowest && lowest.id < person.id ? lowest : person), first);
}

function mention(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 64 || !isAtWordStart(state)) return false;
  const rendering = state.env as unknown as Rendering;
  const person = at(PERSON, state);
  const match = person ?? at(GROUP, state);
  if (!match) return false;
  const [syntax, underscore, written] = match as unknown as [string, string, string];
  const notifiesNobody = underscore === "_" || rendering.quotes > 0;
  const meta = person
    ? (wildcardMention(rendering, written, notifiesNobody, silent) ??
      personMention(rendering, written, notifiesNobody, silent))
    : groupMention(rendering, written, underscore === "_", silent);
  if (!meta) return false;
  if (!silent) state.push("mention", "", 0).meta = meta;
  state.pos += syntax.length;
  return true;
}

const mentionClass = (className: string, notifiesNobody: boolean): string =>
  notifiesNobody ? `${className} silent` : className;

function wildcardMention(
  rendering: Rendering,
  name: string,
  notifiesNobody: boolean,
  silent: boolean,
): InlineMeta | undefined {
  const text = notifiesNobody ? name : `@${name}`;
  if (name === "topic" && rendering.context.topicWildcard) {
    if (!notifiesNobody && !silent) rendering.topicWildcard = true;
    return { is: "mention", className: mentionClass("topic-mention", notifiesNobody), text };
  }
  if (!CHANNEL_WILDCARDS.has(name) || !rendering.context.channelWildcard) return undefined;
  if (!notifiesNobody && !silent) rendering.channelWildcard = true;
  const className = mentionClass("user-mention channel-wildcard-mention", notifiesNobody);
  return { is: "mention", className, attribute: "data-user-id", id: "*", text };
}

function personMention(
  rendering: Rendering,
  written: string,
  isSilent: boolean,
  silent: boolean,
): InlineMeta | undefined {
  const person = lookUpOnce(rendering, `@${written}`, () => personNamed(rendering, written));
  if (!person) return undefined;
  const notifiesNobody = isSilent || person.isSilent === true;
  if (!silent) (notifiesNobody ? rendering.silentUserIds : rendering.userIds).add(person.id);
  return {
    is: "mention",
    className: mentionClass("user-mention", notifiesNobody),
    attribute: "data-user-id",
    id: String(person.id),
    text: notifiesNobody ? person.name : `@${person.name}`,
  };
}

function groupMention(
  rendering: Rendering,
  written: string,
  isSilent: boolean,
  silent: boolean,
): InlineMeta | undefined {
  const group = lookUpOnce<MentionableGroup | undefined>(rendering, `@*${written}`, () =>
    lookUpNamed(written, (name) => rendering.context.groupByName?.(name)),
  );
  if (!group) return undefined;
  const notifiesNobody = isSilent || group.isSilent === true || rendering.quotes > 0;
  if (!notifiesNobody && !group.mayMention) {
    if (!silent) rendering.refusedGroupIds.add(group.id);
    return undefined;
  }
  if (!silent) (notifiesNobody ? rendering.silentGroupIds : rendering.groupIds).add(group.id);
  return {
    is: "mention",
    className: mentionClass("user-group-mention", notifiesNobody),
    attribute: "data-user-group-id",
    id: String(group.id),
    text: notifiesNobody ? group.name : `@${group.name}`,
  };
}

const CHANNEL = /#\*\*([^*\n]{1,700})\*\*/y;

function channel(inlineState: StateInline, silent: boolean): boolean {
  const state = inlineState as State;
  // Links do not nest.
  if (state.src.charCodeAt(state.pos) !== 35 || state.linkLevel > 0 || !isAtWordStart(state)) return false;
  const match = at(CHANNEL, state);
  if (!match) return false;
  const meta = channelMeta(state.env as unknown as Rendering, match[1] as string);
  if (!meta) return false;
  if (!silent) state.push("channel", "", 0).meta = meta;
  state.pos += match[0].length;
  return true;
}

function channelMeta(rendering: Rendering, written: string): InlineMeta | undefined {
  const { context } = rendering;
  const [, name = written, topicWritten, messageId] = /^([^>]*)>(.*?)(?:@(\d{1,15}))?$/.exec(written) ?? [];
  const found = lookUpOnce<NamedChannel | undefined>(rendering, `#${name}`, () =>
    lookUpNamed(name, (each) => context.channelByName?.(each)),
  );
  if (!found) return undefined;
  if (topicWritten === undefined) {
    return { is: "channel", className: "stream", id: found.id, href: channelUrl(found), channel: found.name };
  }
  const topic = unescaped(topicWritten).trim();
  if (messageId !== undefined) {
    const href = messageUrl(found, topic, Number(messageId));
    return { is: "channel", className: "message-link", href, channel: found.name, topic, after: " @ 💬" };
  }
  const newest = lookUpOnce(rendering, `#${found.id}>${topic}`, () => context.newestInTopic?.(found.id, topic));
  const href = topicUrl(found, topic, newest);
  return { is: "channel", className: "stream-topic", id: found.id, href, channel: found.name, topic };
}

const MATH = /\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?!\$)/y;

function math(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 36 || src.charCodeAt(pos + 1) !== 36) return false;
  const match = pos > 0 && /[\w$]/.test(src[pos - 1] as string) ? null : at(MATH, state);
  if (!match || /^\w/.test(src.slice(pos + match[0].length, pos + match[0].length + 1))) {
    let end = pos;
    while (end < state.posMax && src.charCodeAt(end) === 36) end++;
    if (!silent) state.pending += src.slice(pos, end);
    state.pos = end;
    return true;
  }
  if (!silent) state.push("math", "", 0).meta = { is: "math", source: match[1] as string } satisfies InlineMeta;
  state.pos += match[0].length;
  return true;
}

const TIME = /<time:([^>\n]{0,200})>/y;

function time(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 60) return false;
  const match = at(TIME, state);
  if (!match) return false;
  const text = match[1] as string;
  if (!silent) state.push("time", "", 0).meta = { is: "time", at: readTime(text), text } satisfies InlineMeta;
  state.pos += match[0].length;
  return true;
}
