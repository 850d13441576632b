import type { MarkdownIt, StateInline, Token } from "markdown-it";
import type { Rendering } from "./context.ts";
import { EMOJI_CHARACTERS, EMOTICON, type Emoji, emojiByName, emojiOfCharacters, emojiOfEmoticon } from "./emoji.ts";
import { linkified, withoutOverlaps } from "./linkifiers.ts";
import { isMessageLink, isSafeLink, withoutOwnHost } from "./urls.ts";

/*
 * Finds URLs, linkifiers and emoji in words, after links, code and emphasis were parsed. Works on the text tokens of a
 * paragraph, never on code or on tokens of our own syntax.
 */

export type WordMeta = { is: "emoji"; emoji: Emoji } | { is: "custom emoji"; name: string; url: string };

/** Top-level domains that are file extensions more often. */
const FILE_EXTENSION = /\.(?:java|md|mov|py|zip)$/i;
const MORE_TLDS = (
  "app art bar blog cafe chat city cloud club co community dev digital email events games group guru help hosting " +
  "house ink life link live ltd media network news ninja one online page photos place plus press pub review rocks " +
  "school science shop site social software solutions space store studio systems team tech tools tube video wiki " +
  "work works world xyz zone"
).split(" ");

// Finding URLs in a word takes quadratic time, and the URLs that people send are shorter than this.
const MAX_URL = 1999;
const BEGINS_LONG = /^\S{2000}/;

/** Names and passwords in URLs: many tokens are longer than the 50 characters that linkify-it allows. */
const USER_INFO = /(?:[^\s/?#[\]()<>"]{1,500}@)?/;

export function addAutolinks(markdown: MarkdownIt): void {
  const { linkify } = markdown;
  linkify.re.get_auth = () => USER_INFO;
  linkify.tlds(MORE_TLDS, true).set({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true });
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  // The inline parser passes the whole rest of the text, also where a part of it is parsed, such as `~~…~~`.
  let charactersAfterPart = 0;
  linkify.matchAtStart = (rest) => {
    const text = rest.slice(0, rest.length - charactersAfterPart);
    const match = BEGINS_LONG.test(text) ? null : matchAtStart(text);
    if (match) match.url = match.url.replace(/~~+$/, "");
    return match;
  };
  markdown.validateLink = (url) => isSafeLink(url);
  markdown.inline.ruler.before("linkify", "limit_autolinks", (state, silent) => {
    charactersAfterPart = state.src.length - state.posMax;
    return limitAutolinks(state, silent);
  });
}

/** Each `://` is tried as a URL to the end of its word. When the budget of the message is used up, it stays text. */
function limitAutolinks(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("://", state.pos)) return false;
  const { autolinkBudget } = state.env as unknown as Rendering;
  const rest = state.src.slice(state.pos, state.pos + 2000).search(/\s|$/);
  autolinkBudget.steps -= rest * STEPS_PER_CHARACTER;
  if (autolinkBudget.steps >= 0) return false;
  if (!silent) state.pending += ":";
  state.pos++;
  return true;
}

interface Span {
  start: number;
  end: number;
  href: string;
}

export interface TopicLink {
  text: string;
  url: string;
}

/** Limits the work per message to slightly more than the longest URL needs. */
export interface AutolinkBudget {
  steps: number;
}
export const newAutolinkBudget = (): AutolinkBudget => ({ steps: 5_000_000 });
const STEPS_PER_CHARACTER = 20;
const LONG_WORDS = /\S{100,}/g;

export function autolinksIn(markdown: MarkdownIt, text: string, budget: AutolinkBudget = newAutolinkBudget()): Span[] {
  // A fast path for sentences without URLs: `//host` alone is not a URL.
  if (!/[.:]\S/.test(text)) return [];
  const lengths = (text.match(LONG_WORDS) ?? []).map(({ length }) => length);
  if (lengths.some((length) => length > MAX_URL)) return [];
  for (const length of lengths) budget.steps -= length ** 2;
  if (budget.steps < 0) return [];
  return (markdown.linkify.match(text) ?? []).flatMap(({ schema, index, lastIndex, url }) => {
    const host = /^[a-z]+:\/\/([^/?#:]*)/i.exec(url)?.[1] ?? "";
    const href = markdown.normalizeLink(url);
    if ((schema === "" && FILE_EXTENSION.test(host)) || !isSafeLink(href)) return [];
    return [{ start: index, end: lastIndex, href }];
  });
}

/** Replaces URLs, linkifier matches and emoji in the tokens of each paragraph. */
export function readWords(markdown: MarkdownIt, blocks: readonly Token[], rendering: Rendering): void {
  const paragraphs = blocks.filter(({ type }) => type === "inline");
  const found = linkifiedIn(paragraphs, rendering);
  for (const paragraph of paragraphs) {
    paragraph.children = wordsOf(markdown, paragraph.children ?? [], found, rendering);
    rendering.words += "\n";
  }
}

/** The matches of linkifiers outside links. Searches the message in one pass, since each search has a fixed cost. */
function linkifiedIn(paragraphs: readonly Token[], rendering: Rendering): Map<Token, Span[]> {
  const found = new Map<Token, Span[]>();
  const linkifiers = rendering.context.linkifiers ?? [];
  if (linkifiers.length === 0) return found;
  const tokens: Token[] = [];
  for (const { children } of paragraphs) {
    let links = 0;
    for (const token of children ?? []) {
      if (token.type === "link_open" || token.type === "link_close") links += token.nesting;
      else if (token.type === "text" && links === 0) tokens.push(token);
    }
  }
  const spans = linkified(tokens.map(({ content }) => content).join("\n"), linkifiers, rendering.linkifierBudget);
  let offset = 0;
  let next = 0;
  for (const token of tokens) {
    const end = offset + token.content.length;
    const own: Span[] = [];
    for (; next < spans.length && spans[next]!.start < end; next++) {
      const span = spans[next]!;
      if (span.end > end) continue;
      own.push({ start: span.start - offset, end: span.end - offset, href: span.url });
    }
    if (own.length > 0) found.set(token, own);
    offset = end + 1;
  }
  return found;
}

function wordsOf(
  markdown: MarkdownIt,
  tokens: readonly Token[],
  found: ReadonlyMap<Token, Span[]>,
  rendering: Rendering,
): Token[] {
  const result: Token[] = [];
  let link: Token | undefined;
  let hasNoTarget = false;
  for (const token of tokens) {
    if (token.type === "link_open" && !token.attrGet("href")) {
      // `[a]()` has no target, so it stays text.
      result.push(textLike(token, "["));
      hasNoTarget = true;
      continue;
    }
    if (token.type === "link_close" && hasNoTarget) {
      result.push(textLike(token, "]()"));
      hasNoTarget = false;
      continue;
    }
    if (token.type === "link_open") {
      link = token;
      recordLink(token, rendering);
    } else if (token.type === "link_close") link = undefined;
    if (token.type !== "text") {
      result.push(token);
      if (token.type === "code_inline" && rendering.context.alertWords) rendering.words += ` ${token.content} `;
    } else {
      if (rendering.context.alertWords) rendering.words += token.content;
      if (link?.info === "auto") result.push(token);
      else if (link) result.push(...withEmoji(token, token.content, rendering));
      else result.push(...withLinks(markdown, token, found.get(token) ?? [], rendering));
    }
    if (token.type === "softbreak") rendering.words += "\n";
  }
  putStrongOutside(result);
  return result;
}

/** `***a***` is `strong` around `em` in the protocol, the other way round in CommonMark. */
function putStrongOutside(tokens: readonly Token[]): void {
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.nesting > 0) open.push(index);
    if (token.nesting >= 0) continue;
    const [outer, inner] = [open.at(-2), open.pop()];
    const next = tokens[index + 1];
    const isPair = token.type === "strong_close" && next?.type === "em_close" && inner !== undefined;
    if (!isPair || outer !== inner - 1 || tokens[outer]?.type !== "em_open") continue;
    for (const [first, second] of [
      [tokens[outer], tokens[inner]],
      [next, token],
    ] as [Token, Token][]) {
      [first.type, second.type] = [second.type, first.type];
      [first.tag, second.tag] = [second.tag, first.tag];
    }
  }
}

/** Sets the final target of a link, and records it. */
function recordLink(open: Token, rendering: Rendering): void {
  const href = withoutOwnHost(String(open.attrGet("href") ?? ""), rendering.context);
  open.attrSet("href", href);
  if (isMessageLink(href)) open.attrSet("class", "message-link");
  rendering.links.add(href);
}

function withLinks(markdown: MarkdownIt, token: Token, found: readonly Span[], rendering: Rendering): Token[] {
  const text = token.content;
  // URLs go before linkifiers here, and behind them in topics.
  const spans = withoutOverlaps([...autolinksIn(markdown, text, rendering.autolinkBudget), ...found]);
  if (spans.length === 0) return withEmoji(token, text, rendering);
  const result: Token[] = [];
  let position = 0;
  for (const { start, end, href } of spans) {
    result.push(...withEmoji(token, text.slice(position, start), rendering));
    const open = tokenLike(token, "link_open", "a", 1);
    open.attrs = [["href", href]];
    open.info = "auto";
    recordLink(open, rendering);
    result.push(open, textLike(token, text.slice(start, end)), tokenLike(token, "link_close", "a", -1));
    position = end;
  }
  result.push(...withEmoji(token, text.slice(position), rendering));
  return result;
}

function tokenLike(like: Token, type: string, tag: string, nesting: -1 | 0 | 1): Token {
  const TokenClass = like.constructor as new (type: string, tag: string, nesting: number) => Token;
  const token = new TokenClass(type, tag, nesting);
  token.level = like.level;
  return token;
}

function textLike(like: Token, content: string): Token {
  const token = tokenLike(like, "text", "", 0);
  token.content = content;
  return token;
}

function withEmoji(like: Token, text: string, rendering: Rendering): Token[] {
  if (text === "") return [];
  if (rendering.emoji < 0) return [textLike(like, text)];
  const parts = namedEmoji(text, rendering).flatMap((part) =>
    typeof part === "string" ? writtenEmoji(part, rendering) : [part],
  );
  rendering.emoji -= parts.filter((part) => typeof part !== "string").length;
  return parts.map((part) => {
    if (typeof part === "string") return textLike(like, part);
    const token = tokenLike(like, "emoji", "", 0);
    token.meta = part;
    return token;
  });
}

const EMOJI_NAME = /^[\p{L}\p{N}_.+-]{1,100}$/u;

/** Finds `:name:`. A colon that could end one name or start the next ends the earlier one. */
function namedEmoji(text: string, rendering: Rendering): (string | WordMeta)[] {
  const pieces = text.split(":");
  if (pieces.length < 3) return [text];
  const parts: (string | WordMeta)[] = [];
  let pending = pieces[0] as string;
  for (let index = 1; index < pieces.length; index++) {
    const piece = pieces[index] as string;
    const meta = index + 1 < pieces.length && EMOJI_NAME.test(piece) ? emojiNamed(piece, rendering) : undefined;
    if (!meta) {
      pending += `:${piece}`;
      continue;
    }
    if (pending !== "") parts.push(pending);
    parts.push(meta);
    index++;
    pending = pieces[index] as string;
  }
  if (pending !== "") parts.push(pending);
  return parts;
}

function emojiNamed(name: string, { context }: Rendering): WordMeta | undefined {
  // Custom emoji take precedence.
  const custom = context.customEmoji?.(name);
  if (custom) return { is: "custom emoji", name, url: custom.url };
  const emoji = emojiByName(name);
  return emoji && { is: "emoji", emoji };
}

/**
 * Finds emoji characters, and emoticons if the sender's setting translates them. Stops after the maximum of a message.
 */
function writtenEmoji(text: string, { context, emoji: max }: Rendering): (string | WordMeta)[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, which has no emoji
  if (!context.translateEmoticons && /^[\x00-\x7f]*$/.test(text)) return [text];
  const found = context.translateEmoticons ? replaced(text, EMOTICON, emojiOfEmoticon, max) : [text];
  return found.flatMap((part) =>
    typeof part === "string" ? replaced(part, EMOJI_CHARACTERS, emojiOfCharacters, max) : part,
  );
}

/** Reads at most `max` + 1 matches. */
function replaced(
  text: string,
  pattern: RegExp,
  read: (match: string) => Emoji | undefined,
  max: number,
): (string | WordMeta)[] {
  const parts: (string | WordMeta)[] = [];
  let position = 0;
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    if (count > max) break;
    const emoji = read(match[0]);
    if (!emoji) continue;
    count += 1;
    if (match.index > position) parts.push(text.slice(position, match.index));
    parts.push({ is: "emoji", emoji });
    position = match.index + match[0].length;
  }
  if (position < text.length) parts.push(text.slice(position));
  return parts;
}
