import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import { type Block, type Inline, linkOrUrl, paragraph, refer, type Style, styled, text } from "../document.ts";
import { emojiCharacter } from "../emoji-names.ts";
import type { Reference } from "../model.ts";
import { MAX_PARSED } from "../texts.ts";

/* Parses Mattermost's Markdown: CommonMark with tables, mentions, links to channels, and emoji names. */

/** Resolves names in a text. If the result is undefined, they stay text. */
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
  // Other names can be custom emoji, for which Hearth has the same syntax.
  if (whole === undefined || character === undefined || state.pos + whole.length > state.posMax) return false;
  if (!silent) state.push("text", "", 0).content = character;
  state.pos += whole.length;
  return true;
}

export function parseMattermost(content: string, names: MattermostNames): Block[] {
  if (content.trim() === "") return [];
  if (content.length > MAX_PARSED) return [paragraph(text(content))];
  const tokens = markdown.parse(content, names as unknown as Record<string, unknown>);
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
      return paragraph(...readLine(reading));
    case "heading_open":
      return { is: "heading", inside: readLine(reading), level: Number(token.tag.slice(1)) };
    case "blockquote_open":
      return { is: "quote", blocks: readBlocks(reading) };
    case "bullet_list_open":
      return { is: "list", items: readRows(reading, readBlocks) };
    case "ordered_list_open":
      return { is: "list", items: readRows(reading, readBlocks), start: Number(token.attrGet("start") ?? 1) };
    case "table_open": // thead and tbody have the rows
      return {
        is: "table",
        rows: readRows(reading, (part) => readRows(part, (row) => readRows(row, readLine))).flat(),
      };
    case "fence":
      return fenceBlock(token);
    case "code_block":
      return { is: "code", text: token.content };
    case "hr":
      return { is: "rule" };
    default:
      return undefined;
  }
}

/** Reads the parts of a container. Each part has an opening and a closing token. */
function readRows<Row>(reading: Reading, read: (reading: Reading) => Row): Row[] {
  const rows: Row[] = [];
  for (let token = next(reading); token && token.nesting > 0; token = next(reading)) rows.push(read(reading));
  return rows;
}

/** The inline content of a block, and its closing token. */
function readLine(reading: Reading): Inline[] {
  const tokens = next(reading)?.children ?? [];
  next(reading);
  return readInlines({ tokens, position: 0 });
}

/** Mattermost renders these as formulas. */
const FORMULAS = new Set(["latex", "tex", "katex"]);

function fenceBlock({ info, content }: Token): Block {
  const language = info.trim().split(/\s/)[0] as string;
  return FORMULAS.has(language.toLowerCase())
    ? { is: "formula", text: content }
    : { is: "code", text: content, language };
}

const STYLES: Readonly<Record<string, Style>> = { strong: "bold", em: "italic", s: "strike" };

/** The inline elements up to the end of the container. */
function readInlines(reading: Reading): Inline[] {
  const inside: Inline[] = [];
  for (let token = next(reading); token && token.nesting >= 0; token = next(reading))
    inside.push(...readInline(token, reading));
  return inside;
}

function readInline(token: Token, reading: Reading): readonly Inline[] {
  switch (token.type) {
    case "strong_open":
    case "em_open":
    case "s_open":
      return [styled(STYLES[token.tag] as Style, readInlines(reading))];
    case "link_open": {
      const inside = readInlines(reading);
      // A bare URL stays unchanged.
      return token.info === "auto" ? inside : linkOrUrl(String(token.attrGet("href") ?? ""), inside);
    }
    case "softbreak":
    case "hardbreak":
      return [{ is: "break" }];
    case "reference":
      return [refer(token.meta as Reference)];
    case "image":
      return linkOrUrl(String(token.attrGet("src") ?? ""), token.content === "" ? [] : [text(token.content)]);
    case "code_inline":
      return [{ is: "code", text: token.content }];
    default:
      return [text(token.content)];
  }
}
