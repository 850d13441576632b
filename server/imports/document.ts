import type { Reference, Text } from "./model.ts";
import { clean, fenceFor } from "./texts.ts";

/*
 * A formatted text of another chat. Parsers produce it, and `toText` writes it in Hearth's Markdown.
 * The words stay the same: characters that would format them by accident become character references, since messages
 * have no backslash escapes.
 */

export type Style = "bold" | "italic" | "strike";

export type Inline =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "code"; readonly text: string }
  | { readonly is: "styled"; readonly style: Style; readonly inside: readonly Inline[] }
  | { readonly is: "link"; readonly url: string; readonly inside: readonly Inline[] }
  | { readonly is: "spoiler"; readonly inside: readonly Inline[] }
  | { readonly is: "reference"; readonly reference: Reference }
  /** Milliseconds since the epoch. */
  | { readonly is: "time"; readonly at: number }
  | { readonly is: "break" };

export type Block =
  | { readonly is: "paragraph"; readonly inside: readonly Inline[] }
  | { readonly is: "heading"; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly is: "quote"; readonly blocks: readonly Block[] }
  | { readonly is: "spoiler"; readonly blocks: readonly Block[] }
  | { readonly is: "code"; readonly text: string; readonly language?: string | undefined }
  | { readonly is: "formula"; readonly text: string }
  /** `start`: the first number of an ordered list. */
  | { readonly is: "list"; readonly start?: number | undefined; readonly items: readonly (readonly Block[])[] }
  | { readonly is: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly is: "rule" };

export const text = (content: string): Inline => ({ is: "text", text: content });
export const styled = (style: Style, inside: readonly Inline[]): Inline => ({ is: "styled", style, inside });
export const link = (url: string, label: string): Inline => ({ is: "link", url, inside: [text(label)] });
/** A link. If Hearth does not link such URLs, the URL follows the label as text. */
export function linkOrUrl(url: string, inside: readonly Inline[] = []): readonly Inline[] {
  if (inside.length === 0) return [link(url, url)];
  const isComplete = plainOf(inside) === url || webAddress(url) !== undefined;
  return [{ is: "link", url, inside }, ...(isComplete ? [] : [text(` (${url})`)])];
}
export const refer = (reference: Reference): Inline => ({ is: "reference", reference });
export const paragraph = (...inside: readonly Inline[]): Block => ({ is: "paragraph", inside });

/** Hearth renders deeper texts as plain text. A paragraph and its formatting need the other levels. */
const MAX_NESTING = 14;
/** Hearth renders messages with more cells as plain text. */
const MAX_CELLS = 2000;
/** Longer URLs are not links in Hearth. */
const MAX_URL = 1999;

/** Enclose the number of a reference in the written text. `clean` removes them from all input. */
const [OPEN, CLOSE] = ["\u0001", "\u0002"];
const REFERENCES = new RegExp(`${OPEN}(\\d+)${CLOSE}`);

/** `isMe`: the text is an action of its sender, `/me waves`. Actions have one line. */
export function toText(blocks: readonly Block[], { isMe = false } = {}): Text {
  const references: Reference[] = [];
  const context = { references, room: MAX_NESTING, inSpoiler: false, inLink: false, inTable: false };
  const lines = blockLines(blocks, context);
  const written = lines.join("\n");
  return (isMe && lines.length === 1 ? `/me ${written}` : written.replace(/^\/(?=me )/, "&#47;"))
    .split(REFERENCES)
    .map((part, index) => (index % 2 === 0 ? part : (references[Number(part)] as Reference)))
    .filter((part) => part !== "");
}

/** A text as the label of a link. */
export const labelOf = (content: string): string =>
  oneLine([text(content)], { references: [], room: 0, inSpoiler: false, inLink: true, inTable: false });

interface Context {
  readonly references: Reference[];
  /** Number of block levels that can still nest. */
  readonly room: number;
  readonly inSpoiler: boolean;
  readonly inLink: boolean;
  readonly inTable: boolean;
}

const inner = (context: Context, levels: number): Context => ({ ...context, room: context.room - levels });

/** Separates blocks with empty lines. In list items, an empty line before a nested list would make the list loose. */
function blockLines(blocks: readonly Block[], context: Context, isItem = false): string[] {
  const lines: string[] = [];
  let before: Block | undefined;
  for (const block of withoutDeepContainers(blocks, context)) {
    const own = linesOf(block, context);
    if (own.length === 0) continue;
    if (before && wouldJoin(before, block)) lines.push("", EMPTY_LINE, "");
    else if (before && !(isItem && block.is === "list")) lines.push("");
    lines.push(...own);
    before = block;
  }
  return lines;
}

/** Spoilers do not nest, and quotes do not nest deeper than the renderer allows. Their contents stay. */
const withoutDeepContainers = (blocks: readonly Block[], context: Context): readonly Block[] =>
  blocks.flatMap((block) =>
    (block.is === "spoiler" && context.inSpoiler) || (block.is === "quote" && context.room < 1)
      ? withoutDeepContainers(block.blocks, context)
      : [block],
  );

/** A line that is not empty in Markdown. */
const EMPTY_LINE = "&nbsp;";

/** Markdown merges adjacent ordered lists and continues the numbers of the first. */
const wouldJoin = (before: Block, block: Block): boolean =>
  before.is === "list" &&
  block.is === "list" &&
  before.start !== undefined &&
  block.start !== undefined &&
  block.start !== before.start + before.items.length;

function linesOf(block: Block, context: Context): string[] {
  switch (block.is) {
    case "paragraph":
      return paragraphLines(block.inside, context);
    case "heading": {
      const line = withoutClosingMarks(oneLine(block.inside, context));
      return line === "" ? [] : [`${"#".repeat(Math.min(Math.max(block.level, 1), 6))} ${line}`];
    }
    case "quote":
      return blockLines(block.blocks, inner(context, 1)).map((line) => (line === "" ? ">" : `> ${line}`));
    case "spoiler":
      return spoilerLines(block.blocks, context);
    case "code":
      return fencedLines(block.text, languageOf(block));
    case "formula":
      return fencedLines(block.text, "math");
    case "list":
      return listLines(block.items, block.start, context);
    case "table":
      return tableLines(block.rows, context);
    case "rule":
      return ["---"];
  }
}

/** Markdown ignores the last mark of `## a #`. */
const withoutClosingMarks = (line: string): string =>
  line.replace(/(?<=^|\s)#+$/, (marks) => "&#35;".repeat(marks.length));

function spoilerLines(blocks: readonly Block[], context: Context): string[] {
  const lines = blockLines(blocks, { ...inner(context, 1), inSpoiler: true });
  if (lines.length === 0) return [];
  const fence = fenceFor(lines);
  return [`${fence}spoiler`, ...lines, fence];
}

/** Fence languages with a special meaning in Hearth. */
const NOT_CODE = new Set(["quote", "quoted", "spoiler", "math"]);

function languageOf({ text: code, language = "" }: { readonly text: string; readonly language?: string | undefined }) {
  if (/^[\w+./#-]{1,30}$/.test(language) && !NOT_CODE.has(language.toLowerCase())) return language;
  // The renderer takes the language from such a line and hides it.
  return /^\s*(?:#!|::)/.test(code) ? "text" : "";
}

function fencedLines(content: string, language: string): string[] {
  const lines = clean(content)
    .replace(/^\n+|\s+$/g, "")
    .split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  const fence = fenceFor(lines);
  return [`${fence}${language}`, ...lines, fence];
}

function listLines(items: readonly (readonly Block[])[], start: number | undefined, context: Context): string[] {
  if (context.room < 2) return blockLines(items.flat(), context);
  const lines: string[] = [];
  let number = Math.min(Math.max(Math.trunc(start ?? 0) || 0, 0), 999_999_000);
  for (const item of items) {
    const own = blockLines(item, inner(context, 2), true);
    if (own.length === 0 && start === undefined) continue;
    if (own.length === 0) own.push(EMPTY_LINE); // keeps its number
    // A spoiler only recognizes nested fences at the start of a line.
    if (context.inSpoiler && own[0]?.includes("```")) own.unshift(EMPTY_LINE);
    const marker = start === undefined ? "-" : `${number++}.`;
    lines.push(...own.map((line, index) => (index === 0 ? `${marker} ${line}` : line === "" ? "" : `  ${line}`)));
  }
  return lines;
}

function tableLines(rows: readonly (readonly (readonly Inline[])[])[], context: Context): string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) return [];
  if (columns * rows.length > MAX_CELLS || columns > 60)
    return rows.map((row) => protectedStart(row.map((cell) => oneLine(cell, context)).join(" / ")));
  const written = rows.map((row) =>
    Array.from({ length: columns }, (_, at) => oneLine(row[at] ?? [], { ...context, inTable: true })),
  );
  if (written.flat().every((cell) => cell === "")) return [];
  const [header = [], ...body] = written.map((row) => `| ${row.join(" | ")} |`);
  return [header, `|${"---|".repeat(columns)}`, ...body] as string[];
}

/* Lines. */

const STYLES: Readonly<Record<Style, number>> = { bold: 1, italic: 2, strike: 4 };
const STRIKE = STYLES.strike;
const MARKS: readonly (readonly [bit: number, mark: string])[] = [
  [STYLES.bold, "**"],
  [STYLES.italic, "*"],
  [STYLES.strike, "~~"],
];

type Link = Extract<Inline, { is: "link" }>;
type Leaf = (Exclude<Inline, { is: "styled" | "link" }> | (Link & { readonly address: string })) & {
  readonly styles: number;
};

/** Flattens styles. Links and spoilers keep their contents. */
function leavesOf(inside: readonly Inline[], styles: number, leaves: Leaf[] = []): Leaf[] {
  for (const part of inside) {
    if (part.is === "styled") leavesOf(part.inside, styles | STYLES[part.style], leaves);
    else if (part.is === "text") leaves.push({ is: "text", text: part.text, styles });
    else if (part.is === "link") {
      const address = part.inside.some(holdsReference) ? undefined : webAddress(part.url);
      if (address === undefined) leavesOf(part.inside, styles, leaves);
      else leaves.push({ ...part, address, styles });
    } else leaves.push({ ...part, styles });
  }
  return leaves;
}

/** Links do not nest, and a reference can be a link. */
const holdsReference = (part: Inline): boolean =>
  part.is === "reference" || ("inside" in part && part.inside.some(holdsReference));

/** A URL that is safe inside a Markdown link. */
export function webAddress(url: string): string | undefined {
  const address = clean(url).trim();
  const isWeb = /^https?:\/\/[^/\\]/i.test(address)
    ? URL.canParse(address)
    : /^(?:mailto:[^\s/]+@[^\s/]+|tel:\S+)$/i.test(address);
  if (!isWeb || address.length > MAX_URL) return undefined;
  return address.replace(/[\s\p{Cc}()<>[\]"'`*\\|]|~(?=~)|&(?=#?\w+;)/gu, (character) =>
    character < "\x80"
      ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
      : encodeURIComponent(character),
  );
}

/** Spoilers are blocks in Hearth, so they divide a paragraph. */
function paragraphLines(inside: readonly Inline[], context: Context): string[] {
  const blocks: string[][] = [];
  let leaves: Leaf[] = [];
  const finish = (): void => {
    blocks.push(textLines(leaves, context));
    leaves = [];
  };
  for (const leaf of leavesOf(inside, 0)) {
    if (leaf.is !== "spoiler") leaves.push(leaf);
    else {
      finish();
      blocks.push(blockLines([{ is: "spoiler", blocks: [paragraph(...leaf.inside)] }], context));
    }
  }
  finish();
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/** The lines of a paragraph. An empty line divides it. */
function textLines(leaves: readonly Leaf[], context: Context): string[] {
  const lines: string[] = [];
  for (const leaf of dividedIntoLines(leaves)) {
    const line = protectedStart(withIndent(lineOf(leaf, context)), lines.at(-1));
    if (line !== "" || (lines.length > 0 && lines.at(-1) !== "")) lines.push(line);
  }
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function dividedIntoLines(leaves: readonly Leaf[]): Leaf[][] {
  const lines: Leaf[][] = [[]];
  for (const leaf of leaves) {
    if (leaf.is === "break") lines.push([]);
    else if (leaf.is === "text" && /[\r\n]/.test(leaf.text)) {
      for (const [index, part] of leaf.text.split(/\r\n?|\n/).entries()) {
        if (index > 0) lines.push([]);
        lines.at(-1)?.push({ ...leaf, text: part });
      }
    } else lines.at(-1)?.push(leaf);
  }
  return lines;
}

/** Spaces at the start of a line are not visible, and four of them make code. */
const withIndent = (line: string): string =>
  line.trimEnd().replace(/^\s+/, (spaces) => (spaces.length < 2 ? "" : "&nbsp;".repeat(Math.min(spaces.length, 40))));

/** The text of a heading, a cell or a link. */
function oneLine(inside: readonly Inline[], context: Context): string {
  const leaves = leavesOf(inside, 0).flatMap((leaf): Leaf[] => {
    if (leaf.is === "break") return [{ is: "text", text: " ", styles: leaf.styles }];
    if (leaf.is === "text") return [{ ...leaf, text: leaf.text.replace(/\r\n?|\n/g, " ") }];
    return leaf.is === "spoiler" ? leavesOf(leaf.inside, leaf.styles) : [leaf];
  });
  return lineOf(
    leaves.filter(({ is }) => is !== "break" && is !== "spoiler"),
    context,
  ).trim();
}

const TABLE_DELIMITERS = /^[|:-][|:\s-]*$/;
/** A list marker before the line can be the first of the three hyphens of a rule. */
const STARTS_BLOCK = /^(?:#{1,6}[ \t]|>|[-+](?:[ \t]|$)|(?:-[ \t]*)+$|(?:_[ \t]*){3,}$)/;

/** Escapes the start of a line that would begin a block. `above`: the previous line. */
function protectedStart(line: string, above = ""): string {
  const isBlock = STARTS_BLOCK.test(line) || (above.includes("|") && TABLE_DELIMITERS.test(line));
  if (isBlock) return `&#${line.charCodeAt(0)};${line.slice(1)}`;
  return line.replace(/^(\d{1,9})\.(?=[ \t]|$)/, "$1&#46;");
}

interface Escapes {
  readonly inLink: boolean;
  readonly inTable: boolean;
  readonly inStrike: boolean;
  /** Whether this is the start or the end of the line. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const ACCIDENTS = /&(?=#?\w+;)|[*`]|~(?=~|$)|(?<=~)~|(?<=\$)\$|<(?=time:)|\](?=\(|$)/;
const patterns = new Map<string, RegExp>();

function accidents({ inLink, inTable, inStrike, isFirst }: Escapes): RegExp {
  const more = `${isFirst ? "" : "|^~"}${inLink ? "|[[\\]]" : ""}${inTable ? "|\\|" : ""}${inStrike ? "|~" : ""}`;
  let pattern = patterns.get(more);
  if (!pattern) {
    pattern = new RegExp(`${ACCIDENTS.source}${more}`, "g");
    patterns.set(more, pattern);
  }
  return pattern;
}

const escaped = (content: string, escapes: Escapes): string =>
  /[&*`~$<[\]|]/.test(content)
    ? content.replace(accidents(escapes), (character) =>
        character === "&" ? "&amp;" : `&#${character.charCodeAt(0)};`,
      )
    : content;

/**
 * The renderer finds URLs before it resolves character references. So simple URLs stay unchanged. In other URLs, the
 * colon is escaped, so that the renderer finds them afterwards, with all their characters.
 */
function escapedText(content: string, escapes: Escapes): string {
  let result = "";
  let position = 0;
  for (let at = content.indexOf("://"); at >= 0; at = content.indexOf("://", Math.max(position, at + 1))) {
    const scheme = /[a-z][a-z0-9.+-]{0,40}$/i.exec(content.slice(Math.max(position, at - 41), at))?.[0];
    if (scheme === undefined) continue;
    const url = /\S*/y.exec(content.slice(at - scheme.length))?.[0] as string;
    const end = at - scheme.length + url.length;
    result += escaped(content.slice(position, at - scheme.length), escapes);
    const endsWord = end < content.length || escapes.isLast;
    const isSimple = endsWord && escaped(url, escapes) === url && !/[<>[\]|\\]/.test(url);
    result += isSimple ? url : escaped(url, escapes).replaceAll("://", "&#58;//");
    position = end;
  }
  return result + escaped(content.slice(position), escapes);
}

type Token = Leaf & { readonly isSpace: boolean };

/** Splits styled text into words and spaces. Spaces have the styles that both neighbors share: marks must touch words. */
function tokensOf(leaves: readonly Leaf[]): Token[] {
  const tokens: Token[] = [];
  for (const leaf of leaves) {
    const last = tokens.at(-1);
    if (leaf.is === "text") {
      const content = clean(leaf.text);
      for (const part of leaf.styles === 0 ? [content] : content.split(/(\s+)/))
        if (part !== "") tokens.push({ is: "text", text: part, styles: leaf.styles, isSpace: part.trim() === "" });
    } else if (leaf.is === "code" && last?.is === "code") {
      const merged = { ...last, text: last.text + leaf.text, styles: last.styles & leaf.styles };
      tokens[tokens.length - 1] = { ...merged, styles: stylesOf(merged) };
    } else {
      const words = leaf.is === "link" ? plainOf(leaf.inside) : "";
      if (/^\s+\S/.test(words)) tokens.push(spaceOf(leaf));
      tokens.push({ ...leaf, styles: stylesOf(leaf), isSpace: false });
      if (/\S\s+$/.test(words)) tokens.push(spaceOf(leaf));
    }
  }
  let before = 0;
  for (const [index, token] of tokens.entries()) {
    if (!token.isSpace) {
      before = token.styles;
      continue;
    }
    const after = tokens.slice(index + 1, index + 3).find(({ isSpace }) => !isSpace)?.styles ?? 0;
    tokens[index] = { ...token, styles: before & after };
  }
  return tokens;
}

/** Spaces at the edges of a label move out of the link. */
const spaceOf = ({ styles }: Leaf): Token => ({ is: "text", text: " ", styles, isSpace: true });

const plainOf = (inside: readonly Inline[]): string =>
  inside.map((part) => ("inside" in part ? plainOf(part.inside) : "text" in part ? part.text : "")).join("");

/** References and times have no styles: adjacent marks would break both. */
function stylesOf(leaf: Leaf): number {
  if (leaf.is === "reference" || leaf.is === "time") return 0;
  const holdsTilde = (leaf.is === "code" && leaf.text.includes("~")) || (leaf.is === "link" && hasTilde(leaf));
  return holdsTilde ? leaf.styles & ~STRIKE : leaf.styles;
}

const hasTilde = ({ url, inside }: Link): boolean =>
  url.includes("~") || inside.some((part) => part.is !== "text" || part.text.includes("~"));

function lineOf(leaves: readonly Leaf[], context: Context): string {
  const tokens = tokensOf(leaves);
  const open: number[] = []; // indexes of MARKS
  let written = "";
  let pending = "";
  const flush = (isLast = false): void => {
    const inStrike = open.some((order) => MARKS[order]![0] === STRIKE);
    written += escapedText(pending, { ...context, inStrike, isFirst: written === "", isLast });
    pending = "";
  };
  for (const [index, token] of tokens.entries()) {
    const kept = open.findIndex((order) => (token.styles & MARKS[order]![0]) === 0);
    const closing = kept < 0 ? [] : open.slice(kept).reverse();
    // Opening marks next to other marks could close another style.
    const mayOpen = closing.length === open.length || /\s/.test((pending || written).at(-1) ?? "");
    const opening = mayOpen ? startingAt(index, tokens, open) : [];
    if (closing.length + opening.length > 0) flush();
    for (const order of closing) written += MARKS[order]![1];
    open.length -= closing.length;
    if (opening.length > 0 && MAY_JOIN.test(written)) written += SEPARATOR;
    for (const order of opening) written += MARKS[order]![1];
    open.push(...opening);
    if (token.is === "text") pending += token.text;
    else {
      flush();
      if (token.is === "reference") {
        if (!/(?:^|[\s'"({[/<,:])$/.test(written)) written += " ";
        written += `${OPEN}${context.references.push(token.reference) - 1}${CLOSE}`;
      } else if (token.is === "link" && isBareUrl(token, written, tokens.slice(index + 1, index + 3), context))
        written += token.url;
      else written += leafText(token, context);
    }
  }
  flush(open.length === 0);
  for (const order of open.reverse()) written += MARKS[order]![1];
  return written;
}

/** Word joiner, an invisible character. */
const SEPARATOR = "\u2060";
/** Marks after these would merge with the previous marks or form a mention: `@**bold**`. */
const MAY_JOIN = new RegExp(`[*~\`${CLOSE}]$|[@#]_?$`);

/** Whether the renderer recognizes the whole URL without link syntax. */
function isBareUrl(
  { url, inside: [first, second] }: Link,
  before: string,
  [next, afterNext]: readonly Token[],
  context: Context,
): boolean {
  if (second !== undefined || first?.is !== "text" || first.text !== url || !/(?:^|[\s(])$/.test(before)) return false;
  const after = [next, afterNext].map((token) => (token?.is === "text" ? token.text : token && "x")).join("");
  if (!/^[.,!?;:)]*(?:\s|$)/.test(after)) return false;
  if (!/^https?:\/\/[\p{L}\p{N}].*[\p{L}\p{N}/=#]$/u.test(url)) return false;
  return escapedText(url, { ...context, inStrike: false, isFirst: true, isLast: true }) === url;
}

/** Styles that begin at a token, the longest first. No style begins at a space. */
function startingAt(index: number, tokens: readonly Token[], open: readonly number[]): readonly number[] {
  const { isSpace, styles } = tokens[index] as Token;
  if (isSpace || styles === 0) return [];
  const starting = [...MARKS.keys()].filter((order) => (styles & MARKS[order]![0]) !== 0 && !open.includes(order));
  if (starting.length < 2) return starting;
  const ends = MARKS.map(([bit]) => {
    let end = index;
    while (((tokens[end]?.styles ?? 0) & bit) !== 0) end++;
    return end;
  });
  return starting.sort((a, b) => ends[b]! - ends[a]!);
}

function leafText(leaf: Leaf, context: Context): string {
  if (leaf.is === "code") return codeSpan(leaf.text);
  if (leaf.is === "time") return timeText(leaf.at);
  return leaf.is === "link" ? linkText(leaf, leaf.address, context) : "";
}

function codeSpan(content: string): string {
  const line = clean(content).replaceAll("\n", " ");
  if (line === "") return "";
  const rows = new Set([...line.matchAll(/`+/g)].map(([marks]) => marks.length));
  let length = 1;
  while (rows.has(length)) length++;
  const marks = "`".repeat(length);
  // A space separates the marks from backticks at the edge.
  const [before, after] = [line.startsWith("`") ? " " : "", line.endsWith("`") ? " " : ""];
  return `${marks}${before}${line}${after}${marks}`;
}

/** The years 0 to 9999. */
const timeText = (at: number): string =>
  at >= -62_167_219_200_000 && at < 253_402_300_800_000
    ? `<time:${new Date(at).toISOString().slice(0, 19)}Z>`
    : String(at);

/** Links do not nest. */
const withoutLinks = (part: Inline): readonly Inline[] => {
  if (part.is === "link") return part.inside.flatMap(withoutLinks);
  return "inside" in part ? [{ ...part, inside: part.inside.flatMap(withoutLinks) }] : [part];
};

function linkText({ url, inside }: Link, address: string, context: Context): string {
  const label = oneLine(inside.flatMap(withoutLinks), { ...context, inLink: true });
  const escapes = { ...context, inLink: true, inStrike: false, isFirst: true, isLast: false };
  return `[${label || escaped(clean(url), escapes)}](${address})`;
}
