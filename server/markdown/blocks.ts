import MarkdownIt, { type MarkdownIt as Markdown, type StateBlock } from "markdown-it";
import type { Rendering } from "./context.ts";

/*
 * The protocol's block syntax, where it differs from CommonMark: fences for quotes, spoilers and formulas, lists that
 * nest by two spaces, quotes that begin with an empty line, and lone marks such as ">", "-" and "#" as text.
 */

const [BACKTICK, TILDE, GREATER, HASH] = [..."`~>#"].map((mark) => mark.charCodeAt(0));

export function addBlocks(markdown: Markdown): void {
  const { ruler } = markdown.block;
  // References let one line change distant lines; underlined headings misinterpret ordinary lines.
  ruler.disable(["reference", "html_block", "lheading"]);
  ruler.at("fence", fence, { alt: ["paragraph", "reference", "blockquote", "list"] });
  ruler.at("list", list, { alt: ["paragraph", "reference", "blockquote"] });
  ruler.before("blockquote", "lone_greater", loneGreater);
  ruler.before("blockquote", "below_empty_quote", markBelowEmptyQuote);
  ruler.at("table", tableRule(), { alt: ["paragraph", "reference"] });
  ruler.at("heading", headingRule(), { alt: ["paragraph", "reference", "blockquote"] });
  ruler.before("table", "limit_cells", limitCells);
}

interface Fence {
  /** The characters that open the fence, and close it alone on a line. */
  readonly marks: string;
  readonly kind: "code" | "math" | "quote" | "spoiler";
  readonly language: string;
  /** The text after the language: a spoiler's heading. */
  readonly heading: string;
}

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);

function openedBy(text: string): Fence | undefined {
  const marks = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  if (marks === undefined) return undefined;
  const info = text.slice(marks.length).trim();
  if (/[`~]/.test(info)) return undefined;
  const language = /^\{?\.?([\w+\-./#]+)/.exec(info);
  if (info !== "" && !language) return undefined;
  const name = (language?.[1] ?? "").toLowerCase();
  const heading = info.slice(language?.[0].length ?? 0).trim();
  if (name === "quote" || name === "quoted") return { marks, kind: "quote", language: "", heading };
  if (name === "spoiler") return { marks, kind: "spoiler", language: "", heading };
  if (name === "math") return { marks, kind: "math", language: "", heading };
  return { marks, kind: "code", language: language?.[1] ?? "", heading };
}

/** The line that closes a fence, or the end of its container. Quotes and spoilers may contain fences. */
function closingLine(state: StateBlock, opening: Fence, startLine: number, endLine: number): number {
  const open = [opening];
  for (let line = startLine + 1; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if (state.sCount[line]! < state.blkIndent) return line;
    const text = lineAt(state, line).trimEnd();
    const innermost = open.at(-1) as Fence;
    if (text === innermost.marks) {
      open.pop();
      if (open.length === 0) return line;
    } else if (innermost.kind === "quote" || innermost.kind === "spoiler") {
      const inner = openedBy(text);
      if (inner) open.push(inner);
    }
  }
  return endLine;
}

/** A row of a table between its header and its body: `|-|-|`. */
const TABLE_DELIMITERS = /^[|:-][|:\s-]*$/;

const beginsTable = (state: StateBlock, startLine: number, endLine: number): boolean =>
  startLine + 1 < endLine &&
  TABLE_DELIMITERS.test(lineAt(state, startLine + 1)) &&
  lineAt(state, startLine).includes("|");

/**
 * At the start of a table, deducts its cells from the message's limit. If there are too many, skips to the end, because
 * the whole message is then shown as plain text.
 */
function limitCells(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || !beginsTable(state, startLine, endLine)) return false;
  let end = startLine + 1;
  while (end < endLine && !state.isEmpty(end)) end++;
  const rendering = state.env as unknown as Rendering;
  rendering.cells -= lineAt(state, startLine + 1).split("|").length * (end - startLine - 1);
  if (rendering.cells >= 0) return false;
  state.line = endLine;
  return true;
}

function fence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const first = state.src.charCodeAt(state.bMarks[startLine]! + state.tShift[startLine]!);
  if (first !== BACKTICK && first !== TILDE) return false;
  const opening = openedBy(lineAt(state, startLine));
  if (!opening) return false;
  if (silent) return true;
  const closing = closingLine(state, opening, startLine, endLine);
  const isClosed = closing < endLine && lineAt(state, closing).trimEnd() === opening.marks;
  const after = isClosed ? closing + 1 : closing;
  if (opening.kind === "code" || opening.kind === "math") {
    const token = state.push(opening.kind === "code" ? "fence" : "math_block", "", 0);
    token.info = opening.language;
    token.content = state.getLines(startLine + 1, closing, state.sCount[startLine]!, false);
    token.map = [startLine, after];
  } else {
    container(state, opening, startLine + 1, closing);
  }
  state.line = after;
  return true;
}

function container(state: StateBlock, { kind, heading }: Fence, from: number, to: number): void {
  const [oldLineMax, oldParentType] = [state.lineMax, state.parentType];
  if (kind === "quote") state.push("blockquote_open", "blockquote", 1);
  else {
    state.push("spoiler_open", "", 1);
    if (heading !== "") pushParagraph(state, heading, from - 1);
    state.push("spoiler_between", "", 0);
  }
  state.parentType = "blockquote";
  state.lineMax = to;
  state.md.block.tokenize(state, from, to);
  state.lineMax = oldLineMax;
  state.parentType = oldParentType;
  if (kind === "quote") state.push("blockquote_close", "blockquote", -1);
  else state.push("spoiler_close", "", -1);
}

function pushParagraph(state: StateBlock, content: string, line: number): void {
  state.push("paragraph_open", "p", 1);
  const inline = state.push("inline", "", 0);
  inline.content = content;
  inline.map = [line, line + 1];
  inline.children = [];
  state.push("paragraph_close", "p", -1);
}

type Rule = typeof fence;

/** A rule of markdown-it. */
function ruleNamed(name: string): Rule {
  const { ruler } = new MarkdownIt().block;
  ruler.enableOnly(name);
  return ruler.getRules("")[0] as Rule;
}

/** `#` without a heading is text. */
function headingRule(): Rule {
  const heading = ruleNamed("heading");
  return (state, startLine, endLine, silent) => {
    if (state.src.charCodeAt(state.bMarks[startLine]! + state.tShift[startLine]!) !== HASH) return false;
    const isLone = /^#{1,6}(?:[ \t]+#+)?$/.test(lineAt(state, startLine).trimEnd());
    return !isLone && heading(state, startLine, endLine, silent);
  };
}

/** Code, formulas and mentions in a cell may contain `|`. */
function tableRule(): Rule {
  const table = ruleNamed("table");
  return (state, startLine, endLine, silent) => {
    if (!beginsTable(state, startLine, endLine)) return false;
    const { src } = state;
    const changed: { line: number; start: number; end: number; shift: number }[] = [];
    const end = silent ? startLine + 1 : endLine;
    for (let line = startLine; line < end && !state.isEmpty(line); line++) {
      const text = lineAt(state, line);
      const escaped = withEscapedPipes(text);
      if (escaped === text) continue;
      changed.push({ line, start: state.bMarks[line]!, end: state.eMarks[line]!, shift: state.tShift[line]! });
      // Lines are ranges of the source, so the changed line is appended to it.
      [state.bMarks[line], state.tShift[line]] = [state.src.length, 0];
      state.src += escaped;
      state.eMarks[line] = state.src.length;
    }
    const isTable = table(state, startLine, endLine, silent);
    state.src = src;
    for (const { line, start, end, shift } of changed)
      [state.bMarks[line], state.eMarks[line], state.tShift[line]] = [start, end, shift];
    return isTable;
  };
}

/** Formulas, and mentions with an ID. */
const HOLDS_PIPES = /\$\$[^$\n]+\$\$|@_?\*\*[^*|\n]*\|\d{1,15}\*\*/g;

/** A row of a table in which only the pipes between cells have no backslash. */
function withEscapedPipes(row: string): string {
  if (!/[`$@]/.test(row)) return row;
  const outsideCode = (text: string): string => text.replace(HOLDS_PIPES, (found) => found.replaceAll("|", "\\|"));
  const runs = [...row.matchAll(/`+/g)];
  let escaped = "";
  let position = 0;
  for (let index = 0; index < runs.length; index++) {
    const [opening] = runs[index]!;
    const closing = runs.findIndex(([run], other) => other > index && run.length === opening.length);
    if (closing < 0) continue;
    const end = runs[closing]!.index;
    escaped += outsideCode(row.slice(position, runs[index]!.index));
    escaped += row.slice(runs[index]!.index, end).replace(/\\?\|/g, "\\|");
    position = end;
    index = closing;
  }
  return escaped + outsideCode(row.slice(position));
}

/** `>` without quoted text is an ordinary character. */
function loneGreater(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!isQuoted(state, startLine)) return false;
  let line = startLine;
  while (line < endLine && lineAt(state, line).trim() === ">") line++;
  if (line === startLine || (line < endLine && !state.isEmpty(line))) return false;
  if (silent) return true;
  pushParagraph(
    state,
    Array(line - startLine)
      .fill(">")
      .join("\n"),
    startLine,
  );
  state.line = line;
  return true;
}

/**
 * Text below an empty quoted line belongs to the quote, even without a `>` of its own, so this adds one. Returns false,
 * because the next rule parses the quote itself.
 */
function markBelowEmptyQuote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || !isQuoted(state, startLine)) return false;
  const terminators = state.md.block.ruler.getRules("blockquote");
  let marked = "";
  let isEmptyAbove = false;
  for (let line = startLine; line < endLine && !state.isEmpty(line); line++) {
    const indent = state.sCount[line]! - state.blkIndent;
    if (indent < 0) break;
    const text = lineAt(state, line);
    if (isEmptyAbove && !text.startsWith(">")) {
      if (terminators.some((rule) => rule(state, line, endLine, true))) break;
      // Lines are ranges of the source, so the changed line is appended to it.
      state.bMarks[line] = state.src.length + marked.length;
      marked += `> ${" ".repeat(indent)}${text}\n`;
      state.eMarks[line] = state.src.length + marked.length - 1;
      [state.tShift[line], state.sCount[line]] = [0, state.blkIndent];
    }
    isEmptyAbove = /^>[>\s]*$/.test(text);
  }
  state.src += marked;
  return false;
}

const isQuoted = (state: StateBlock, line: number): boolean =>
  state.src.charCodeAt(state.bMarks[line]! + state.tShift[line]!) === GREATER &&
  state.sCount[line]! - state.blkIndent < 4;

interface Marker {
  readonly ordered: boolean;
  readonly number: number;
  /** Offset of the item's text in the source. */
  readonly contentStart: number;
  readonly isEmpty: boolean;
}

function markerAt(state: StateBlock, line: number): Marker | undefined {
  const start = state.bMarks[line]! + state.tShift[line]!;
  const end = state.eMarks[line]!;
  const match = /^(?:[-+*]|(\d{1,9})\.)(?=[ \t]|$)/.exec(state.src.slice(start, Math.min(end, start + 12)));
  if (!match) return undefined;
  const contentStart = Math.min(state.skipSpaces(start + match[0].length), end);
  return { ordered: match[1] !== undefined, number: Number(match[1] ?? 0), contentStart, isEmpty: contentStart >= end };
}

/** Whether these are markers without items, such as a message of only `-`: they are text. */
function areLoneMarkers(state: StateBlock, startLine: number, endLine: number): boolean {
  let line = startLine;
  while (line < endLine && markerAt(state, line)?.isEmpty) line++;
  if (line === startLine) return false;
  if (line === endLine || state.isEmpty(line)) return true;
  return markerAt(state, line) === undefined && state.sCount[line]! < state.sCount[startLine]! + 2;
}

/** All bullets make the same list; lines indented by two spaces belong to the item above them. */
function list(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  // A marker far left of an outer item's text belongs to that item's paragraph.
  if (
    state.listIndent >= 0 &&
    state.sCount[startLine]! - state.listIndent >= 4 &&
    state.sCount[startLine]! < state.blkIndent
  )
    return false;
  let marker = markerAt(state, startLine);
  if (!marker) return false;
  // An empty item does not end a paragraph, unless the paragraph belongs to the item before it.
  if (silent) return state.parentType !== "paragraph" || !marker.isEmpty || state.sCount[startLine]! < state.blkIndent;
  if (areLoneMarkers(state, startLine, endLine)) return false;

  const { ordered } = marker;
  const opening = state.tokens.length;
  const open = state.push(ordered ? "ordered_list_open" : "bullet_list_open", ordered ? "ol" : "ul", 1);
  if (ordered && marker.number !== 1) open.attrs = [["start", String(marker.number)]];
  const oldParentType = state.parentType;
  state.parentType = "list";
  const terminators = state.md.block.ruler.getRules("list");
  let tight = true;
  let blankBefore = false;
  let line = startLine;
  while (marker && marker.ordered === ordered) {
    const end = item(state, marker, line, endLine);
    if (!end.tight || blankBefore) tight = false;
    blankBefore = end.blankAfter;
    line = state.line;
    if (line >= endLine || state.sCount[line]! < state.blkIndent || state.sCount[line]! - state.blkIndent >= 4) break;
    if (terminators.some((rule) => rule(state, line, endLine, true))) break;
    marker = markerAt(state, line);
  }
  state.push(ordered ? "ordered_list_close" : "bullet_list_close", ordered ? "ol" : "ul", -1);
  state.line = line;
  state.parentType = oldParentType;
  if (tight) hideParagraphs(state, opening);
  return true;
}

function item(
  state: StateBlock,
  marker: Marker,
  line: number,
  endLine: number,
): { tight: boolean; blankAfter: boolean } {
  const [oldStart, oldShift, oldCount, oldOffset] = [
    state.bMarks[line]!,
    state.tShift[line]!,
    state.sCount[line]!,
    state.bsCount[line]!,
  ];
  const [oldTight, oldListIndent, oldIndent] = [state.tight, state.listIndent, state.blkIndent];
  state.push("list_item_open", "li", 1);
  // Reads the first line as if its text began at the item's indentation, regardless of the marker's length.
  const indent = oldCount + 2;
  state.listIndent = oldIndent;
  state.blkIndent = indent;
  state.tight = true;
  state.bMarks[line] = marker.contentStart;
  state.tShift[line] = 0;
  state.sCount[line] = indent;
  state.bsCount[line] = indent;
  if (marker.isEmpty && (line + 1 >= endLine || state.isEmpty(line + 1))) state.line = Math.min(line + 2, endLine);
  else state.md.block.tokenize(state, line, endLine);
  const tight = state.tight;
  const blankAfter = state.line - line > 1 && state.isEmpty(state.line - 1);
  state.bMarks[line] = oldStart;
  state.tShift[line] = oldShift;
  state.sCount[line] = oldCount;
  state.bsCount[line] = oldOffset;
  state.tight = oldTight;
  state.listIndent = oldListIndent;
  state.blkIndent = oldIndent;
  state.push("list_item_close", "li", -1);
  return { tight, blankAfter };
}

function hideParagraphs(state: StateBlock, opening: number): void {
  const level = state.level + 2;
  for (const token of state.tokens.slice(opening)) {
    if (token.level === level && /^paragraph_/.test(token.type)) token.hidden = true;
  }
}
