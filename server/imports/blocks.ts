import type { Reference, Text } from "./model.ts";

/*
 * Writes Hearth's Markdown for parsed texts of other chats. Characters that would become syntax by accident become
 * references such as `&#42;`, since Hearth's Markdown has no backslash escapes.
 */

export interface Style {
  readonly bold?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly strike?: boolean | undefined;
  readonly code?: boolean | undefined;
}

export type Inline =
  | { readonly text: string; readonly style?: Style | undefined }
  /** A link. Without a label, its text is the URL. */
  | { readonly url: string; readonly label?: readonly Inline[] | undefined }
  | { readonly reference: Reference }
  /** Milliseconds since the epoch. */
  | { readonly time: number };

export type Block =
  | { readonly paragraph: readonly Inline[] }
  | { readonly heading: readonly Inline[]; readonly level: number }
  | { readonly quote: readonly Block[] }
  | { readonly code: string; readonly language?: string | undefined }
  | { readonly formula: string }
  /** With a number if `start` is set. */
  | { readonly list: readonly (readonly Block[])[]; readonly start?: number | undefined }
  /** Rows of cells. The first row is the header. */
  | { readonly table: readonly (readonly (readonly Inline[])[])[] }
  | "rule";

type Line = (string | Reference)[];

/** An invisible character that separates marks, such as the stars of two styles. */
const SEPARATOR = "\u2060";
/** The renderer shows texts that are nested deeper than 20 levels as they are. */
const MAX_NESTING = 6;

const PLAIN = /^\p{L}[\p{L}\p{N} .,;!?'"()%=/–—…-]*(?:\n\p{L}[\p{L}\p{N} .,;!?'"()%=/–—…-]*)*$/u;

/** Whether the text has no character with a meaning in Hearth or at the source. Most texts are. */
export const isPlain = (text: string): boolean => text.length <= MAX_PARSED && PLAIN.test(text);

/** Longer texts are not parsed, since no message can be as long. */
export const MAX_PARSED = 100_000;

/** `isMe`: the text is an action of its sender, `/me waves`. Actions have one line. */
export function markdownOf(blocks: readonly Block[], { isMe = false } = {}): Text {
  const lines = linesOf(blocks, 0);
  const first = lines[0]?.[0];
  if (isMe && lines.length === 1) lines[0]?.unshift("/me ");
  else if (typeof first === "string" && /^\/me\s/.test(first)) lines[0]?.splice(0, 1, `&#47;${first.slice(1)}`);
  return joined(lines);
}

function joined(lines: readonly Line[]): Text {
  const parts: (string | Reference)[] = [];
  const add = (part: string | Reference) => {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else if (part !== "") parts.push(part);
  };
  for (const [index, line] of lines.entries()) {
    if (index > 0) add("\n");
    for (const part of line) add(part);
  }
  return parts;
}

const isBlank = (line: Line): boolean => line.every((part) => typeof part === "string" && part.trim() === "");

function withoutBlankEdges(lines: readonly Line[]): Line[] {
  const isText = (line: Line) => !isBlank(line);
  const first = lines.findIndex(isText);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}

/** `isItem`: the blocks of a list's item, in which a list follows its text directly. */
function linesOf(blocks: readonly Block[], depth: number, isItem = false): Line[] {
  const lines: Line[] = [];
  let before: Block | undefined;
  for (const block of blocks) {
    const own = withoutBlankEdges(blockLines(block, depth));
    if (own.length === 0) continue;
    const followsDirectly = isItem && typeof block === "object" && "list" in block;
    if (before && !followsDirectly) lines.push([]);
    if (before && wouldJoin(before, block)) lines.push([SEPARATOR], []);
    lines.push(...own);
    before = block;
  }
  return lines;
}

/** Two numbered lists are one list without text between them, and lose the second one's numbers. */
const wouldJoin = (before: Block, block: Block): boolean =>
  typeof before === "object" &&
  typeof block === "object" &&
  "list" in before &&
  "list" in block &&
  before.start !== undefined &&
  block.start !== undefined &&
  block.start !== before.start + before.list.length;

function blockLines(block: Block, depth: number): Line[] {
  if (block === "rule") return [["---"]];
  if ("paragraph" in block) return inlineLines(block.paragraph).map(atLineStart);
  if ("heading" in block) return headingLines(block.heading, block.level);
  if ("code" in block) return fenceLines(block.code, languageOf(block.code, block.language));
  if ("formula" in block) return fenceLines(block.formula, "math");
  if ("table" in block) return tableLines(block.table);
  if ("quote" in block) {
    const inner = linesOf(block.quote, depth + 1);
    if (depth >= MAX_NESTING) return inner;
    return inner.map((line) => (isBlank(line) ? [">"] : ["> ", ...line]));
  }
  return listLines(block.list, block.start, depth);
}

function headingLines(heading: readonly Inline[], level: number): Line[] {
  const [first = [], ...others] = withoutBlankEdges(inlineLines(heading).map(atLineStart));
  if (isBlank(first)) return [];
  const marks = `${"#".repeat(Math.min(Math.max(level, 1), 6))} `;
  const line = [...joined([[marks, ...first, ...others.flatMap((each) => [" ", ...each])]])];
  const last = line.at(-1);
  // Separate number signs at the end belong to the syntax.
  if (typeof last === "string") line[line.length - 1] = last.replace(/(?<=\s)#(?=#*\s*$)/, "&#35;");
  return [line];
}

function listLines(items: readonly (readonly Block[])[], start: number | undefined, depth: number): Line[] {
  return items.flatMap((item, index) => {
    const [first = [SEPARATOR], ...others] = linesOf(item, depth + 1, true);
    if (depth >= MAX_NESTING) return [first, ...others];
    const mark = start === undefined ? "* " : `${start + index}. `;
    return [[mark, ...first], ...others.map((line): Line => (isBlank(line) ? [] : ["  ", ...line]))];
  });
}

/** Fences that are not code. */
const OTHER_FENCES = new Set(["quote", "quoted", "spoiler", "math"]);

function languageOf(code: string, language = ""): string {
  const name = language.toLowerCase();
  if (/^[\w+\-./#]{1,30}$/.test(name) && !OTHER_FENCES.has(name)) return language;
  // The renderer reads a language from such a line, and hides it.
  return /^\s*(?:#!|::)/.test(code) ? "text" : "";
}

/** A fence that is longer than any in the text, so that the text cannot end it. */
function fenceLines(text: string, language: string): Line[] {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([marks]) => marks.length));
  const fence = "`".repeat(longest + 1);
  return [
    [fence + language],
    ...text
      .replace(/\n$/, "")
      .split("\n")
      .map((line): Line => [line]),
    [fence],
  ];
}

function tableLines(rows: readonly (readonly (readonly Inline[])[])[]): Line[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return [];
  const lines = rows.map((row): Line => {
    const cells = Array.from({ length: width }, (_, index) => cellOf(row[index] ?? []));
    return ["| ", ...cells.flatMap((cell) => [...cell, " | "]).slice(0, -1), " |"];
  });
  lines.splice(1, 0, [`|${" --- |".repeat(width)}`]);
  return lines;
}

const cellOf = (cell: readonly Inline[]): Line =>
  withoutBlankEdges(inlineLines(cell, { isCell: true })).flatMap((line, index) =>
    index === 0 ? line : [" ", ...line],
  );

/** Syntax at the start of a line: headings, quotes, lists, rules. */
const AT_LINE_START =
  /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(?<number>\d{1,9})\.(?=\s|$)|[-_](?=(?:[ \t]*[-_]){2,}[ \t]*$))/;
/** The second line of a table. */
const TABLE_DELIMITERS = /^[|:-][|:\s-]*$/;

function atLineStart(line: Line): Line {
  const [first, ...others] = line;
  if (typeof first !== "string") return line;
  let text = first;
  // Indented text would become code, or part of the list above it.
  const indent = /^[ \t]+/.exec(text)?.[0];
  if (indent !== undefined)
    text = indent.replaceAll("\t", "    ").replaceAll(" ", "\u00a0") + text.slice(indent.length);
  const found = AT_LINE_START.exec(text);
  const number = found?.groups?.number;
  if (number !== undefined) text = `${number}&#46;${text.slice(number.length + 1)}`;
  else if (found || (TABLE_DELIMITERS.test(text) && text.includes("-")))
    text = entity(text[0] as string) + text.slice(1);
  return [text, ...others];
}

const entity = (character: string): string => `&#${character.charCodeAt(0)};`;

/** The lines of inline content. */
function inlineLines(inlines: readonly Inline[], options?: { isCell: boolean }): readonly Line[] {
  const writer = new InlineWriter(options);
  const merged = withTextsMerged(inlines);
  for (const [index, inline] of merged.entries()) writer.add(inline, merged[index + 1]);
  return writer.lines();
}

const isSameStyle = (a: Style = {}, b: Style = {}): boolean =>
  !a.bold === !b.bold && !a.italic === !b.italic && !a.strike === !b.strike && !a.code === !b.code;

function withTextsMerged(inlines: readonly Inline[]): Inline[] {
  const merged: Inline[] = [];
  for (const inline of inlines) {
    const last = merged.at(-1);
    if (last && "text" in last && "text" in inline && isSameStyle(last.style, inline.style))
      merged[merged.length - 1] = { ...last, text: last.text + inline.text };
    else merged.push(inline);
  }
  return merged;
}

/** Characters that mentions and links to channels may follow. */
const BEFORE_REFERENCE = /[\s'"({[/<,:]$/;

class InlineWriter {
  readonly #lines: Line[] = [[]];
  /** Texts at the end of the line, which are joined once. */
  #texts: string[] = [];
  /** The last characters of the line. */
  #end = "";
  readonly #isLabel: boolean;
  readonly #isCell: boolean;

  /** `isLabel`: the text of a link, which cannot have links. `isCell`: bars would end the cell. */
  constructor({ isLabel = false, isCell = false } = {}) {
    this.#isLabel = isLabel;
    this.#isCell = isCell;
  }

  add(inline: Inline, next: Inline | undefined): void {
    if ("text" in inline) this.#addText(inline.text, inline.style ?? {}, isSpaceBefore(next));
    else if ("time" in inline) this.#write(timeMarkdown(inline.time));
    else if ("reference" in inline) this.#addReference(inline.reference);
    else this.#addLink(inline.url, inline.label, next);
  }

  /** `endsWord`: whether the last word of the text ends with it. */
  #addText(text: string, style: Style, endsWord: boolean): void {
    const hasStyle = style.bold || style.italic || style.strike || style.code;
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#endLine();
      if (hasStyle && line.trim() !== "") this.#addStyled(line, style);
      else if (this.#isLabel) this.#writeText(escapedFully(line));
      else this.#writeText(escaped(line, this.#end, endsWord || index < lines.length - 1));
    }
  }

  /** Styles end with their line, and have no spaces at their edges. */
  #addStyled(line: string, style: Style): void {
    // Code keeps its own spaces.
    const text = style.code ? line : line.trim();
    const start = line.indexOf(text);
    this.#write(line.slice(0, start));
    const strike = style.strike && !(style.code && text.includes("~"));
    const marks = `${strike ? "~~" : ""}${style.bold ? "**" : ""}${style.italic ? "*" : ""}`;
    const words = this.#isLabel ? escapedFully(text) : escapedStyled(text);
    const inner = style.code ? codeSpan(text) : this.#inCell(words);
    const styled = marks + inner + [...marks].reverse().join("");
    this.#write(this.#wouldJoin(styled) ? SEPARATOR + styled : styled);
    this.#write(line.slice(start + text.length));
  }

  /** `next` is what follows, since a URL without brackets ends at a space. */
  #addLink(url: string, label: readonly Inline[] | undefined, next: Inline | undefined): void {
    const shown = label && label.length > 0 ? label : [{ text: url }];
    if (!isLink(url)) {
      for (const each of shown) this.add(each, undefined);
      if (label && textOf(label) !== url) this.#addText(` (${url})`, {}, isSpaceBefore(next));
      return;
    }
    const isAlone =
      /(?:^|[\s(])$/.test(this.#end) && (next === undefined || ("text" in next && ENDS_URL.test(next.text)));
    if (textOf(shown) === url && isAlone && PLAIN_URL.test(url)) this.#write(url);
    else this.#writeText(linkMarkdown(url, shown));
  }

  #addReference(reference: Reference): void {
    const end = this.#end;
    if (!("message" in reference) && end !== "" && !BEFORE_REFERENCE.test(end)) this.#write(" ");
    this.#flush();
    this.#lines.at(-1)?.push(reference);
    this.#end = "*";
  }

  #inCell(text: string): string {
    return this.#isCell ? text.replaceAll("|", "&#124;") : text;
  }

  #writeText(text: string): void {
    this.#write(this.#inCell(text));
  }

  #write(text: string): void {
    if (text === "") return;
    this.#texts.push(text);
    this.#end = (this.#end + text.slice(-3)).slice(-3);
  }

  #flush(): void {
    if (this.#texts.length > 0) this.#lines.at(-1)?.push(this.#texts.join(""));
    this.#texts = [];
  }

  #endLine(): void {
    this.#flush();
    this.#lines.push([]);
    this.#end = "";
  }

  lines(): readonly Line[] {
    this.#flush();
    return this.#lines;
  }

  /** Whether marks would join those before them, or make a mention: `@**bold**`. */
  #wouldJoin(marks: string): boolean {
    const end = this.#end;
    return /[*~`]$/.test(end) ? true : marks.startsWith("*") && /[@#]_?$/.test(end);
  }
}

const isSpaceBefore = (inline: Inline | undefined): boolean =>
  inline === undefined || ("text" in inline && !inline.style?.code && /^\s/.test(inline.text));

const timeMarkdown = (time: number): string => `<time:${new Date(time).toISOString().replace(".000Z", "Z")}>`;

/** Code in backticks: more of them than in the code. */
function codeSpan(code: string): string {
  const runs = new Set(Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const marks = "`".repeat(length);
  return marks + (code.startsWith("`") ? " " : "") + code + (code.endsWith("`") ? " " : "") + marks;
}

/** The visible text. */
export const textOf = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      if ("text" in inline) return inline.text;
      if ("url" in inline) return inline.label ? textOf(inline.label) : inline.url;
      return "";
    })
    .join("");

/** Links that the renderer accepts. */
const isLink = (url: string): boolean => /^(?:https?:\/\/[^/\s]|mailto:[^/\s]|tel:)/i.test(url);

/** URLs that the renderer finds without brackets, and that have no other syntax. */
const PLAIN_URL = /^https?:\/\/[\p{L}\p{N}][\p{L}\p{N}\-._/?=%#+,;@!&:]{0,1500}(?<=[\p{L}\p{N}/=#])$/u;
/** Text after such a URL. */
const ENDS_URL = /^(?:[.,!?;:)]*(?:\s|$))/;
const REFERENCE_IN_URL = /&(?=#?\w+;)/;

function linkMarkdown(url: string, shown: readonly Inline[]): string {
  const label = shown.map((inline) => {
    const [text, style] = "text" in inline ? [inline.text, inline.style] : [textOf([inline]), undefined];
    return { text: text.replaceAll(/\s*\n\s*/g, " "), style };
  });
  const writer = new InlineWriter({ isLabel: true });
  for (const inline of withTextsMerged(label)) writer.add(inline, undefined);
  const text =
    writer
      .lines()[0]
      ?.map((part) => (typeof part === "string" ? escapedLabel(part) : ""))
      .join("") ?? "";
  return `[${text.trim() === "" ? escapedFully(url) : text}](${encodedUrl(url)})`;
}

/** A URL in the label with an open bracket or quotation mark would end behind the label, at the one that closes it. */
const escapedLabel = (label: string): string =>
  label.replace(PLAIN_LABEL.test(label) ? /[[\]]/g : /[[\]]|:(?=\/\/)/g, entity);
const PLAIN_LABEL = /^[\p{L}\p{N}\-._/?=%#+,;@!&: ]*$/u;

/** Characters that would end a link's target. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the renderer refuses URLs with control characters
const ENDS_TARGET = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029<>()[\]*~`"'|\\^{}]/g;
const encodedUrl = (url: string): string =>
  PLAIN_URL.test(url) && !REFERENCE_IN_URL.test(url)
    ? url
    : url
        .replace(ENDS_TARGET, (character) =>
          Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
        )
        .replace(/&(?=#?\w+;)/g, "%26");

const SPECIAL = /[*~`$<&\]]|:\/\//;
const WEB_ADDRESS = /(https?:\/\/\S+)/i;

/** A text without style. `before`: the end of the line so far. `endsWord`: whether its last word ends with it. */
function escaped(text: string, before: string, endsWord: boolean): string {
  const words = before.endsWith("~") && text.startsWith("~") ? SEPARATOR + text : text;
  if (!SPECIAL.test(words)) return words;
  const pieces = words.split(WEB_ADDRESS);
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0) return SPECIAL.test(piece) ? piece.replace(SYNTAX, entity) : piece;
      return escapedAddress(piece, endsWord || index < pieces.length - 2 || pieces.at(-1) !== "");
    })
    .join("");
}

/** Stars between spaces are no syntax, except at the start of a line. */
const SYNTAX = /(?<!\s(?=\*\s))\*|~(?=~)|(?<=~)~|`|\$(?=\$)|(?<=\$)\$|<(?=time:)|&(?=#?\w+;)|(?<=\])\(/g;

/** A word with a URL. The renderer links it, so entities in it would change the URL. */
function escapedAddress(word: string, isWhole: boolean): string {
  if (isWhole && PLAIN_URL.test(word.slice(0, lengthWithout(word, /[).,!?;:']/))) && !REFERENCE_IN_URL.test(word))
    return word;
  return linkedAddress(word);
}

function linkedAddress(word: string): string {
  const url = word.slice(0, lengthWithout(word, /[^\p{L}\p{N}/=#]/u));
  return isLink(url) ? linkMarkdown(url, [{ text: url }]) + escapedFully(word.slice(url.length)) : escapedFully(word);
}

/** The length of the text without the characters at its end. */
function lengthWithout(text: string, characters: RegExp): number {
  let length = text.length;
  while (length > 0 && characters.test(text[length - 1] as string)) length--;
  return length;
}

/** A text between marks. */
const escapedStyled = (text: string): string =>
  text
    .split(WEB_ADDRESS)
    .map((piece, index) => (index % 2 === 1 ? linkedAddress(piece) : escapedFully(piece)))
    .join("");

const escapedFully = (text: string): string =>
  !SPECIAL.test(text) ? text : text.replace(/[*~`$]|<(?=time:)|&(?=#?\w+;)|(?<=\])\(/g, entity);
