import type { Reference, Text } from "./model.ts";

/*
 * A formatted text of another chat. Parsers of its markup produce it, and `toText` writes it in Hearth's Markdown.
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
  /** `start`: the first number of an ordered list. */
  | { readonly is: "list"; readonly start?: number | undefined; readonly items: readonly (readonly Block[])[] }
  | { readonly is: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly is: "rule" };

export const text = (content: string): Inline => ({ is: "text", text: content });
export const styled = (style: Style, inside: readonly Inline[]): Inline => ({ is: "styled", style, inside });
export const link = (url: string, label: string): Inline => ({ is: "link", url, inside: [text(label)] });
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

/** Removes control characters, which could be markers of this writer, and lone surrogates. */
const clean = (content: string): string =>
  content
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\t\n]/gu, "")
    .toWellFormed();

export function toText(blocks: readonly Block[]): Text {
  const references: Reference[] = [];
  const written = blockLines(blocks, { references, room: MAX_NESTING, inSpoiler: false, inLink: false, inTable: false })
    .join("\n")
    .replace(/^\/(?=me )/, "&#47;");
  return written
    .split(REFERENCES)
    .map((part, index) => (index % 2 === 0 ? part : (references[Number(part)] as Reference)))
    .filter((part) => part !== "");
}

/** A text as the label of a link. */
export const labelOf = (content: string): string =>
  oneLine([text(content)], { references: [], room: 0, inSpoiler: false, inLink: true, inTable: false });

interface Context {
  readonly references: Reference[];
  /** How many levels of blocks may still nest. */
  readonly room: number;
  readonly inSpoiler: boolean;
  readonly inLink: boolean;
  readonly inTable: boolean;
}

const inner = (context: Context, levels: number): Context => ({ ...context, room: context.room - levels });

/** Blocks with an empty line between them. */
function blockLines(blocks: readonly Block[], context: Context): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    const own = linesOf(block, context);
    if (own.length === 0) continue;
    if (lines.length > 0) lines.push("");
    lines.push(...own);
  }
  return lines;
}

function linesOf(block: Block, context: Context): string[] {
  switch (block.is) {
    case "paragraph":
      return paragraphLines(block.inside, context);
    case "heading": {
      const line = withoutClosingMarks(oneLine(block.inside, context));
      return line === "" ? [] : [`${"#".repeat(Math.min(Math.max(block.level, 1), 6))} ${line}`];
    }
    case "quote":
      if (context.room < 1) return blockLines(block.blocks, context);
      return blockLines(block.blocks, inner(context, 1)).map((line) => (line === "" ? ">" : `> ${line}`));
    case "spoiler":
      return spoilerLines(block.blocks, context);
    case "code":
      return codeLines(block.text, block.language);
    case "list":
      return listLines(block.items, block.start, context);
    case "table":
      return tableLines(block.rows, context);
    case "rule":
      return ["---"];
  }
}

/** `## a #` is a heading without the last mark. */
const withoutClosingMarks = (line: string): string =>
  line.replace(/(?<=^|\s)#+$/, (marks) => "&#35;".repeat(marks.length));

/** A fence longer than all rows of backticks in the text, so that the text cannot end it. */
function fenceFor(lines: readonly string[]): string {
  let longest = 2;
  for (const line of lines) for (const [marks] of line.matchAll(/`{3,}/g)) longest = Math.max(longest, marks.length);
  return "`".repeat(longest + 1);
}

function spoilerLines(blocks: readonly Block[], context: Context): string[] {
  if (context.inSpoiler) return blockLines(blocks, context);
  const lines = blockLines(blocks, { ...inner(context, 1), inSpoiler: true });
  if (lines.length === 0) return [];
  const fence = fenceFor(lines);
  return [`${fence}spoiler`, ...lines, fence];
}

/** Languages that have another meaning in Hearth's fences. */
const NOT_CODE = new Set(["quote", "quoted", "spoiler", "math"]);

function codeLines(content: string, language = ""): string[] {
  const lines = clean(content)
    .replace(/^\n+|\s+$/g, "")
    .split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  const fence = fenceFor(lines);
  const isLanguage = /^[\w+.#-]{1,30}$/.test(language) && !NOT_CODE.has(language.toLowerCase());
  return [`${fence}${isLanguage ? language : ""}`, ...lines, fence];
}

function listLines(items: readonly (readonly Block[])[], start: number | undefined, context: Context): string[] {
  if (context.room < 2) return blockLines(items.flat(), context);
  const lines: string[] = [];
  let number = Math.min(Math.max(Math.trunc(start ?? 0) || 0, 0), 999_999_000);
  for (const item of items) {
    const own = itemLines(item, inner(context, 2));
    if (own.length === 0) continue;
    // A spoiler around the list ends at the wrong fence if it does not see this one at the start of a line.
    if (context.inSpoiler && own[0]?.includes("```")) own.unshift("&nbsp;");
    const marker = start === undefined ? "-" : `${number++}.`;
    lines.push(...own.map((line, index) => (index === 0 ? `${marker} ${line}` : line === "" ? "" : `  ${line}`)));
  }
  return lines;
}

/** Like other blocks, but without empty lines before lists: those would spread the items. */
function itemLines(blocks: readonly Block[], context: Context): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    const own = linesOf(block, context);
    if (own.length > 0 && lines.length > 0 && block.is !== "list") lines.push("");
    lines.push(...own);
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

type Leaf = Exclude<Inline, { is: "styled" }> & { readonly styles: number };

/** Inline elements without nesting. Links and spoilers keep what is inside. */
function leavesOf(inside: readonly Inline[], styles: number, leaves: Leaf[] = []): Leaf[] {
  for (const part of inside) {
    if (part.is === "styled") leavesOf(part.inside, styles | STYLES[part.style], leaves);
    else if (part.is === "link" && !isLink(part)) leavesOf(part.inside, styles, leaves);
    else leaves.push({ ...part, styles });
  }
  return leaves;
}

const isLink = ({ url, inside }: { readonly url: string; readonly inside: readonly Inline[] }): boolean =>
  webAddress(url) !== undefined && !inside.some(holdsReference);

/** Links do not nest, and a reference can be a link. */
const holdsReference = (part: Inline): boolean =>
  part.is === "reference" || ("inside" in part && part.inside.some(holdsReference));

/** A URL that is safe inside a Markdown link. */
export function webAddress(url: string): string | undefined {
  const address = clean(url).trim();
  const isWeb = /^https?:\/\/[^/\\]/i.test(address) ? URL.canParse(address) : /^mailto:[^\s/]+@[^\s/]+$/i.test(address);
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
      blocks.push(spoilerLines([paragraph(...leaf.inside)], context));
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
    else if (leaf.is === "text") {
      for (const [index, part] of clean(leaf.text).split("\n").entries()) {
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

/** A block in one line: of a heading, a cell or a link. */
function oneLine(inside: readonly Inline[], context: Context): string {
  const leaves = leavesOf(inside, 0).flatMap((leaf): Leaf[] => {
    if (leaf.is === "break") return [{ is: "text", text: " ", styles: leaf.styles }];
    if (leaf.is === "text") return [{ ...leaf, text: clean(leaf.text).replaceAll("\n", " ") }];
    return leaf.is === "spoiler" ? leavesOf(leaf.inside, leaf.styles) : [leaf];
  });
  return lineOf(
    leaves.filter(({ is }) => is !== "break" && is !== "spoiler"),
    context,
  ).trim();
}

const TABLE_DELIMITERS = /^[|:-][|:\s-]*$/;
/** A rule has three hyphens, and the mark of a list before the line can be one of them. */
const STARTS_BLOCK = /^(?:#{1,6}[ \t]|>|[-+](?:[ \t]|$)|(?:-[ \t]*)+$|(?:_[ \t]*){3,}$)/;

/** Escapes a start of a line that would begin a block. `above` is the line above it. */
function protectedStart(line: string, above = ""): string {
  const isBlock = STARTS_BLOCK.test(line) || (above.includes("|") && TABLE_DELIMITERS.test(line));
  if (isBlock) return `&#${line.charCodeAt(0)};${line.slice(1)}`;
  return line.replace(/^(\d{1,9})\.(?=[ \t]|$)/, "$1&#46;");
}

interface Escapes {
  readonly inLink: boolean;
  readonly inTable: boolean;
  readonly inStrike: boolean;
  /** Whether the line ends here. */
  readonly isLast: boolean;
}

const ACCIDENTS = /&(?=#?\w+;)|[*`]|~(?=~|$)|(?<=~|^)~|(?<=\$)\$|<(?=time:)|\](?=\(|$)/;
const patterns = new Map<string, RegExp>();

function accidents({ inLink, inTable, inStrike }: Escapes): RegExp {
  const more = `${inLink ? "|[[\\]]" : ""}${inTable ? "|\\|" : ""}${inStrike ? "|~" : ""}`;
  let pattern = patterns.get(more);
  if (!pattern) {
    pattern = new RegExp(`${ACCIDENTS.source}${more}`, "g");
    patterns.set(more, pattern);
  }
  return pattern;
}

const escaped = (content: string, escapes: Escapes): string =>
  content.replace(accidents(escapes), (character) => (character === "&" ? "&amp;" : `&#${character.charCodeAt(0)};`));

/**
 * The renderer reads a URL before character references and formatting. So a URL without special characters stays as it
 * is, and in another one the colon is escaped: the renderer then finds it later, with all characters.
 */
function escapedText(content: string, escapes: Escapes): string {
  if (!content.includes("://")) return escaped(content, escapes);
  let result = "";
  let position = 0;
  for (const match of content.matchAll(/[a-z][a-z0-9.+-]{0,40}:\/\/\S*/gi)) {
    const [url] = match;
    const end = match.index + url.length;
    result += escaped(content.slice(position, match.index), { ...escapes, isLast: false });
    const endsWord = end < content.length || escapes.isLast;
    const isSimple = endsWord && escaped(url, escapes) === url && !/[<>[\]|\\]/.test(url);
    result += isSimple ? url : escaped(url, escapes).replaceAll("://", "&#58;//");
    position = end;
  }
  return result + escaped(content.slice(position), escapes);
}

type Token = Leaf & { readonly isSpace: boolean };

/** Words and spaces apart. Spaces have the styles of both neighbors, so that marks touch words. */
function tokensOf(leaves: readonly Leaf[]): Token[] {
  const tokens: Token[] = [];
  for (const leaf of leaves) {
    const last = tokens.at(-1);
    if (leaf.is === "text") {
      for (const part of leaf.text.split(/(\s+)/))
        if (part !== "") tokens.push({ ...leaf, text: part, isSpace: /^\s/.test(part) });
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

/** Spaces at the edge of a link's label belong around the link. */
const spaceOf = ({ styles }: Leaf): Token => ({ is: "text", text: " ", styles, isSpace: true });

const plainOf = (inside: readonly Inline[]): string =>
  inside.map((part) => ("inside" in part ? plainOf(part.inside) : "text" in part ? part.text : "")).join("");

/** References and times have no styles, since marks next to theirs would change both. */
function stylesOf(leaf: Leaf): number {
  if (leaf.is === "reference" || leaf.is === "time") return 0;
  const holdsTilde = (leaf.is === "code" && leaf.text.includes("~")) || (leaf.is === "link" && hasTilde(leaf));
  return holdsTilde ? leaf.styles & ~STRIKE : leaf.styles;
}

const hasTilde = ({ url, inside }: { readonly url: string; readonly inside: readonly Inline[] }): boolean =>
  url.includes("~") || inside.some((part) => part.is !== "text" || part.text.includes("~"));

/** For each token and style: the index of the first later token without the style. */
function runEnds(tokens: readonly Token[]): number[][] {
  const ends: number[][] = MARKS.map(() => []);
  for (let index = tokens.length - 1; index >= 0; index--)
    for (const [order, [bit]] of MARKS.entries())
      ends[order]![index] = (tokens[index]!.styles & bit) === 0 ? index : (ends[order]![index + 1] ?? index + 1);
  return ends;
}

function lineOf(leaves: readonly Leaf[], context: Context): string {
  const tokens = tokensOf(leaves);
  const ends = runEnds(tokens);
  const open: number[] = []; // indexes of MARKS
  let written = "";
  let pending = "";
  let followsReference = false;
  const flush = (isLast = false): void => {
    const inStrike = open.some((order) => MARKS[order]![0] === STRIKE);
    put(escapedText(pending, { ...context, inStrike, isLast }));
    pending = "";
  };
  const put = (piece: string): void => {
    if (piece === "") return;
    written += followsReference && piece.startsWith("*") ? ` ${piece}` : piece;
    followsReference = false;
  };
  for (const [index, token] of tokens.entries()) {
    const kept = open.findIndex((order) => (token.styles & MARKS[order]![0]) === 0);
    const closing = kept < 0 ? [] : open.slice(kept).reverse();
    // Marks that could also close another style would do so.
    const mayOpen = closing.length === 0 && (open.length === 0 || /\s$/.test(pending === "" ? written : pending));
    const opening = mayOpen ? startingAt(index, token, open, ends) : [];
    if (closing.length + opening.length > 0) flush();
    for (const order of closing) put(MARKS[order]![1]);
    open.length -= closing.length;
    for (const order of opening) put(MARKS[order]![1]);
    open.push(...opening);
    if (token.is === "text") pending += token.text;
    else {
      flush();
      if (token.is === "reference") {
        if (!/(?:^|[\s'"({[/<,:])$/.test(written)) put(" ");
        written += `${OPEN}${context.references.push(token.reference) - 1}${CLOSE}`;
        followsReference = true;
      } else put(leafText(token, context));
    }
  }
  flush(open.length === 0);
  for (const order of open.reverse()) put(MARKS[order]![1]);
  return written;
}

/** Styles that begin at a token. The longest is the outer one. Spaces begin nothing. */
function startingAt(index: number, token: Token, open: readonly number[], ends: readonly number[][]): number[] {
  if (token.isSpace || token.styles === 0) return [];
  return [...MARKS.keys()]
    .filter((order) => (token.styles & MARKS[order]![0]) !== 0 && !open.includes(order))
    .sort((a, b) => ends[b]![index]! - ends[a]![index]!);
}

function leafText(leaf: Leaf, context: Context): string {
  if (leaf.is === "code") return codeSpan(leaf.text);
  if (leaf.is === "time") return timeText(leaf.at);
  return leaf.is === "link" ? linkText(leaf.url, leaf.inside, context) : "";
}

function codeSpan(content: string): string {
  const line = clean(content).replaceAll("\n", " ");
  if (line === "") return "";
  const rows = new Set([...line.matchAll(/`+/g)].map(([marks]) => marks.length));
  let length = 1;
  while (rows.has(length)) length++;
  const marks = "`".repeat(length);
  // A space keeps the marks apart from backticks at the edge.
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

function linkText(url: string, inside: readonly Inline[], context: Context): string {
  const address = webAddress(url) as string;
  const label = oneLine(inside.flatMap(withoutLinks), { ...context, inLink: true });
  return `[${label === "" ? escaped(clean(url), { ...context, inLink: true, inStrike: false, isLast: false }) : label}](${address})`;
}
