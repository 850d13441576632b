import { isInFence } from "./code.ts";

/** The text and selection of a text field. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Replaces the characters from `from` to `to`; `start` and `end` are the new selection. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly start: number;
  readonly end: number;
}

export const FORMATS = ["bold", "italic", "strike", "link", "code", "quote", "list", "spoiler"] as const;
export type Format = (typeof FORMATS)[number];

const AROUND: Readonly<Partial<Record<Format, string>>> = { bold: "**", italic: "*", strike: "~~" };
const BEFORE_LINES: Readonly<Partial<Record<Format, string>>> = { quote: "> ", list: "* " };

/** Formats the selected text, or removes the format that it already has. */
export function formatted(format: Format, selected: Selected): Replacement {
  const mark = AROUND[format];
  if (mark !== undefined) return around(mark, selected);
  const prefix = BEFORE_LINES[format];
  if (prefix !== undefined) return beforeLines(prefix, selected);
  if (format === "link") return asLink(selected);
  return format === "spoiler" ? asBlock("```spoiler ", selected) : asCode(selected);
}

function around(mark: string, { text, start, end }: Selected): Replacement {
  const inner = text.slice(start, end);
  const { length } = mark;
  // `**` is not `*` inside `*`.
  const isMarked = text.slice(start - length, start) === mark && text.slice(end, end + length) === mark;
  const isOther = mark === "*" && text[start - 2] === "*" && text[start - 3] !== "*";
  if (isMarked && !isOther)
    return { from: start - length, to: end + length, insert: inner, start: start - length, end: end - length };
  return { from: start, to: end, insert: mark + inner + mark, start: start + length, end: end + length };
}

function beforeLines(prefix: string, { text, start, end }: Selected): Replacement {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lines = text.slice(from, end).split("\n");
  const isMarked = lines.every((line) => line.startsWith(prefix));
  const insert = lines.map((line) => (isMarked ? line.slice(prefix.length) : prefix + line)).join("\n");
  return { from, to: end, insert, start: lines.length > 1 ? from : from + insert.length, end: from + insert.length };
}

const URL = "https://";

function asLink({ text, start, end }: Selected): Replacement {
  const inner = text.slice(start, end);
  if (/^https?:\/\/\S+$/.test(inner))
    return { from: start, to: end, insert: `[](${inner})`, start: start + 1, end: start + 1 };
  const at = start + inner.length + 3;
  return { from: start, to: end, insert: `[${inner}](${URL})`, start: at, end: at + URL.length };
}

const asCode = (selected: Selected): Replacement =>
  selected.text.slice(selected.start, selected.end).includes("\n") ? asBlock("```", selected) : around("`", selected);

/** A fenced block on separate lines, with the caret after the opening fence. */
function asBlock(opening: string, { text, start, end }: Selected): Replacement {
  const before = start > 0 && text[start - 1] !== "\n" ? "\n" : "";
  const insert = `${before}${opening}\n${text.slice(start, end)}\n\`\`\`\n`;
  const at = start + before.length + opening.length;
  return { from: start, to: end, insert, start: at, end: at };
}

/** A line of a list or quotation: its marker, and the text up to the caret. */
const MARKED_LINE = /^(\s*(?:> ?)*)(?:([-*+]|\d{1,9}[.)])( +))?(.*)$/;

/** The edit for Enter at the caret: the marker of the next item, or the end of the list after an empty item. */
export function continuation({ text, start, end }: Selected): Replacement | undefined {
  if (start !== end || isInFence(text.slice(0, start))) return undefined;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const [rest = ""] = text.slice(start).split("\n", 1);
  const [, quote = "", item, gap = "", said = ""] = MARKED_LINE.exec(text.slice(from, start)) ?? [];
  if (item === undefined && !quote.includes(">")) return undefined;
  if (said.trim() !== "" || rest.trim() !== "") return replaced(start, start, `\n${quote}${nextItem(item)}${gap}`);
  // An item in a quotation leaves the quotation open. Without an empty line, the next text would belong to the item
  // above.
  const outer = item === undefined ? "" : quote.trimStart();
  const [above = ""] = text
    .slice(0, Math.max(0, from - 1))
    .split("\n")
    .slice(-1);
  return replaced(from, start, above.trim() === "" ? outer : `${outer.trimEnd()}\n${outer}`);
}

const replaced = (from: number, to: number, insert: string): Replacement => ({
  from,
  to,
  insert,
  start: from + insert.length,
  end: from + insert.length,
});

function nextItem(item = ""): string {
  const number = Number.parseInt(item, 10);
  return Number.isNaN(number) ? item : `${number + 1}${item.slice(-1)}`;
}
