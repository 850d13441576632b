import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import { type Block, type Inline, MAX_PARSED, type Style } from "../blocks.ts";
import { emojiCharacter } from "../emoji-names.ts";
import type { Reference } from "../model.ts";

/* Parses Mattermost's Markdown: CommonMark with tables, mentions, links to channels, and emoji names. */

/** The things that a text can refer to. Undefined if there is nothing of this name. */
export interface MattermostNames {
  mention(name: string): Reference | undefined;
  channel(name: string): Reference | undefined;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 50 });
// The inline parser finds URLs with a scheme, and keeps their characters from being syntax.
markdown.core.ruler.disable("linkify");
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;
markdown.normalizeLinkText = (text) => text;
markdown.inline.ruler.push("reference", readReference);
markdown.inline.ruler.push("emoji", readEmoji);

const NAME = /[\p{L}\p{N}._-]{1,64}/uy;
const isAfterWord = ({ src, pos }: StateInline): boolean => pos > 0 && /[\p{L}\p{N}_@~]/u.test(src[pos - 1] as string);

/** `@name` and `~name`. Dots, dashes and underscores at the end of a name can belong to the sentence. */
function readReference(state: StateInline, silent: boolean): boolean {
  const mark = state.src[state.pos];
  if ((mark !== "@" && mark !== "~") || isAfterWord(state)) return false;
  NAME.lastIndex = state.pos + 1;
  let name = NAME.exec(state.src)?.[0].slice(0, state.posMax - state.pos - 1) ?? "";
  const names = state.env as unknown as MattermostNames;
  while (name !== "") {
    const reference = mark === "@" ? names.mention(name) : names.channel(name);
    if (reference) {
      if (!silent) state.push("reference", "", 0).meta = reference;
      state.pos += name.length + 1;
      return true;
    }
    if (!/[._-]$/.test(name)) return false;
    name = name.slice(0, -1);
  }
  return false;
}

const EMOJI = /:([\p{L}\p{N}_+-]{1,100}):/uy;

function readEmoji(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ":") return false;
  EMOJI.lastIndex = state.pos;
  const [whole, name] = EMOJI.exec(state.src) ?? [];
  const character = name === undefined ? undefined : emojiCharacter(name);
  // Others can be custom emoji: Hearth's syntax is the same.
  if (whole === undefined || character === undefined || state.pos + whole.length > state.posMax) return false;
  if (!silent) state.push("text", "", 0).content = character;
  state.pos += whole.length;
  return true;
}

export function parseMattermost(text: string, names: MattermostNames): Block[] {
  if (text.trim() === "") return [];
  if (text.length > MAX_PARSED) return [{ paragraph: [{ text }] }];
  const tokens = markdown.parse(text, names as unknown as Record<string, unknown>);
  return readBlocks({ tokens, position: 0 });
}

interface Reading {
  readonly tokens: readonly Token[];
  position: number;
}

/** The blocks up to the end of the container. */
function readBlocks(reading: Reading): Block[] {
  const blocks: Block[] = [];
  for (let token = next(reading); token && token.nesting >= 0; token = next(reading)) {
    const block = readBlock(token, reading);
    if (block) blocks.push(block);
  }
  return blocks;
}

function next(reading: Reading): Token | undefined {
  return reading.tokens[reading.position++];
}

function readBlock(token: Token, reading: Reading): Block | undefined {
  switch (token.type) {
    case "paragraph_open":
      return { paragraph: readInlines(reading) };
    case "heading_open":
      return { heading: readInlines(reading), level: Number(token.tag.slice(1)) };
    case "blockquote_open":
      return { quote: readBlocks(reading) };
    case "bullet_list_open":
      return { list: readRows(reading, readBlocks) };
    case "ordered_list_open":
      return { list: readRows(reading, readBlocks), start: Number(token.attrGet("start") ?? 1) };
    case "table_open": // thead and tbody have the rows
      return { table: readRows(reading, (part) => readRows(part, (row) => readRows(row, readCell))).flat() };
    case "fence":
      return fenceBlock(token);
    case "code_block":
      return { code: token.content };
    case "hr":
      return "rule";
    default:
      return undefined;
  }
}

/** The parts of a container. Each has its own opening and closing token. */
function readRows<Row>(reading: Reading, read: (reading: Reading) => Row): Row[] {
  const rows: Row[] = [];
  for (let token = next(reading); token && token.nesting > 0; token = next(reading)) rows.push(read(reading));
  return rows;
}

/** The inline content of a block, and its closing token. */
function readInlines(reading: Reading): Inline[] {
  const inlines = inlinesOf(next(reading)?.children ?? []);
  next(reading);
  return inlines;
}

const readCell = readInlines;

/** Mattermost renders these as formulas. */
const FORMULAS = new Set(["latex", "tex", "katex"]);

function fenceBlock({ info, content }: Token): Block {
  const language = info.trim().split(/\s/)[0] as string;
  return FORMULAS.has(language.toLowerCase()) ? { formula: content } : { code: content, language };
}

const STYLES: Readonly<Record<string, keyof Style>> = { strong: "bold", em: "italic", s: "strike" };

function inlinesOf(tokens: readonly Token[]): Inline[] {
  const result: Inline[] = [];
  const style: Record<keyof Style, number> = { bold: 0, italic: 0, strike: 0, code: 0 };
  const styleNow = (): Style => ({ bold: style.bold > 0, italic: style.italic > 0, strike: style.strike > 0 });
  /** The link around the current token, whose contents are its label. */
  let link: { url: string; label: Inline[] } | undefined;
  for (const token of tokens) {
    const target = link?.label ?? result;
    const name = STYLES[token.tag];
    if (name !== undefined) style[name] += token.nesting;
    else if (token.type === "link_open") link = { url: String(token.attrGet("href") ?? ""), label: [] };
    else if (token.type === "link_close") {
      if (link) result.push(linkOf(link, token));
      link = undefined;
    } else if (token.type === "softbreak" || token.type === "hardbreak") target.push({ text: "\n" });
    else if (token.type === "reference") target.push({ reference: token.meta as Reference });
    else if (token.type === "image") target.push(imageLink(token));
    else target.push({ text: token.content, style: { ...styleNow(), code: token.type === "code_inline" } });
  }
  return result;
}

/** A URL that was written without a label stays as it was written. */
function linkOf(link: { url: string; label: Inline[] }, { info }: Token): Inline {
  const [only] = link.label;
  return info === "auto" && only && "text" in only ? only : link;
}

function imageLink(image: Token): Inline {
  const url = String(image.attrGet("src") ?? "");
  return { url, label: image.content === "" ? undefined : [{ text: image.content }] };
}
