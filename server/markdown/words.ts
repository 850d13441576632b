import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { isSafeLink, withoutOwnHost } from "./addresses.ts";
import type { Rendering } from "./context.ts";
import { EMOJI_CHARACTERS, EMOTICON, type Emoji, emojiByName, emojiOfCharacters, emojiOfEmoticon } from "./emoji.ts";
import { linkified, withoutOverlaps } from "./linkifiers.ts";
import { leadsToMessage } from "./narrow-links.ts";

/*
 * What single words mean, once links, code and emphasis are known: addresses, linkifiers, emoji. Works on the text
 * tokens of a paragraph, never on code or on what our own syntax made.
 */

export type WordMeta = { is: "emoji"; emoji: Emoji } | { is: "custom emoji"; name: string; url: string };

/** Endings that are files more often than hosts. */
const FILE_ENDING = /\.(?:java|md|mov|py|zip)$/i;
const MORE_ENDINGS = (
  "app art bar blog cafe chat city cloud club co community dev digital email events games group guru help hosting " +
  "house ink life link live ltd media network news ninja one online page photos place plus press pub review rocks " +
  "school science shop site social software solutions space store studio systems team tech tools tube video wiki " +
  "work works world xyz zone"
).split(" ");

// Looking for addresses in one word takes time by its length squared, and no address that people send is this long.
const MAX_ADDRESS = 1999;
const BEGINS_LONG = /^\S{2000}/;

export function addAddresses(markdown: MarkdownIt): void {
  const { linkify } = markdown;
  linkify.tlds(MORE_ENDINGS, true).set({ fuzzyLink: true, fuzzyEmail: true });
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  linkify.matchAtStart = (text) => (BEGINS_LONG.test(text) ? null : matchAtStart(text));
  markdown.validateLink = (url) => isSafeLink(url);
  markdown.inline.ruler.before("linkify", "many_addresses", manyAddresses);
}

/** Each `://` is tried as an address, to the end of its word: when a message's share is spent, colons are colons. */
function manyAddresses(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("://", state.pos)) return false;
  const { addressBudget } = state.env as unknown as Rendering;
  const rest = state.src.slice(state.pos, state.pos + 2000).search(/\s|$/);
  addressBudget.steps -= rest * STEPS_OF_A_TRY;
  if (addressBudget.steps >= 0) return false;
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

/** So much of that work is done for a message: a little more than the longest address takes. */
export interface AddressBudget {
  steps: number;
}
export const newAddressBudget = (): AddressBudget => ({ steps: 5_000_000 });
const STEPS_OF_A_TRY = 20;
const LONGER_WORDS = /\S{100,}/g;

export function addressesIn(markdown: MarkdownIt, text: string, budget: AddressBudget = newAddressBudget()): Span[] {
  // Sentences without one are not searched: `//host` alone is no address.
  if (!/[.:]\S/.test(text)) return [];
  const longer = (text.match(LONGER_WORDS) ?? []).map(({ length }) => length);
  if (longer.some((length) => length > MAX_ADDRESS)) return [];
  for (const length of longer) budget.steps -= length ** 2;
  if (budget.steps < 0) return [];
  return (markdown.linkify.match(text) ?? []).flatMap(({ schema, index, lastIndex, url }) => {
    const host = /^[a-z]+:\/\/([^/?#:]*)/i.exec(url)?.[1] ?? "";
    const href = markdown.normalizeLink(url);
    if ((schema === "" && FILE_ENDING.test(host)) || !isSafeLink(href)) return [];
    return [{ start: index, end: lastIndex, href }];
  });
}

/** Replaces what words mean in the tokens of each paragraph. */
export function readWords(markdown: MarkdownIt, blocks: readonly Token[], rendering: Rendering): void {
  const paragraphs = blocks.filter(({ type }) => type === "inline");
  const found = linkifiedIn(paragraphs, rendering);
  for (const paragraph of paragraphs) {
    paragraph.children = wordsOf(markdown, paragraph.children ?? [], found, rendering);
    rendering.words += "\n";
  }
}

/** What linkifiers match in text outside links: the whole message at once, since each search has its price. */
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
  let leadsNowhere = false;
  for (const token of tokens) {
    if (token.type === "link_open" && !token.attrGet("href")) {
      // `[a]()` leads nowhere: it is what was typed.
      result.push(textLike(token, "["));
      leadsNowhere = true;
      continue;
    }
    if (token.type === "link_close" && leadsNowhere) {
      result.push(textLike(token, "]()"));
      leadsNowhere = false;
      continue;
    }
    if (token.type === "link_open") {
      link = token;
      noteLink(token, rendering);
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

/** Makes a link's target what it will be in the page, and notes it. */
function noteLink(open: Token, rendering: Rendering): void {
  const href = withoutOwnHost(String(open.attrGet("href") ?? ""), rendering.context.baseUrl);
  open.attrSet("href", href);
  if (leadsToMessage(href)) open.attrSet("class", "message-link");
  rendering.links.add(href);
}

function withLinks(markdown: MarkdownIt, token: Token, found: readonly Span[], rendering: Rendering): Token[] {
  const text = token.content;
  const spans = withoutOverlaps([...addressesIn(markdown, text, rendering.addressBudget), ...found]);
  if (spans.length === 0) return withEmoji(token, text, rendering);
  const result: Token[] = [];
  let position = 0;
  for (const { start, end, href } of spans) {
    result.push(...withEmoji(token, text.slice(position, start), rendering));
    const open = made(token, "link_open", "a", 1);
    open.attrs = [["href", href]];
    open.info = "auto";
    noteLink(open, rendering);
    result.push(open, textLike(token, text.slice(start, end)), made(token, "link_close", "a", -1));
    position = end;
  }
  result.push(...withEmoji(token, text.slice(position), rendering));
  return result;
}

function made(like: Token, type: string, tag: string, nesting: -1 | 0 | 1): Token {
  const TokenClass = like.constructor as new (type: string, tag: string, nesting: number) => Token;
  const token = new TokenClass(type, tag, nesting);
  token.level = like.level;
  return token;
}

function textLike(like: Token, content: string): Token {
  const token = made(like, "text", "", 0);
  token.content = content;
  return token;
}

function withEmoji(like: Token, text: string, rendering: Rendering): Token[] {
  if (text === "") return [];
  const parts = namedEmoji(text, rendering).flatMap((part) =>
    typeof part === "string" ? writtenEmoji(part, rendering) : [part],
  );
  return parts.map((part) => {
    if (typeof part === "string") return textLike(like, part);
    const token = made(like, "emoji", "", 0);
    token.meta = part;
    return token;
  });
}

const EMOJI_NAME = /^[\w+-]{1,100}$/;

/** `:name:`; of colons that could end one name and begin another the earlier name has them. */
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
  // The organization's own hide those of the same name.
  const custom = context.customEmoji?.(name);
  if (custom) return { is: "custom emoji", name, url: custom.url };
  const emoji = emojiByName(name);
  return emoji && { is: "emoji", emoji };
}

/** Emoji that were written as characters, or as emoticons where the sender wants those read. */
function writtenEmoji(text: string, { context }: Rendering): (string | WordMeta)[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, in which no emoji is written
  if (!context.translateEmoticons && /^[\x00-\x7f]*$/.test(text)) return [text];
  const found = context.translateEmoticons ? replaced(text, EMOTICON, emojiOfEmoticon) : [text];
  return found.flatMap((part) =>
    typeof part === "string" ? replaced(part, EMOJI_CHARACTERS, emojiOfCharacters) : part,
  );
}

function replaced(text: string, pattern: RegExp, read: (match: string) => Emoji | undefined): (string | WordMeta)[] {
  const parts: (string | WordMeta)[] = [];
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    const emoji = read(match[0]);
    if (!emoji) continue;
    if (match.index > position) parts.push(text.slice(position, match.index));
    parts.push({ is: "emoji", emoji });
    position = match.index + match[0].length;
  }
  if (position < text.length) parts.push(text.slice(position));
  return parts;
}
