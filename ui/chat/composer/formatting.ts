/** A text with its selection, as a text field has it. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What replaces the characters from `from` to `to`, and what is selected then. */
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

/** What a button of the toolbar does to the selected text; pressed again, it takes that back. */
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
  // `**` is no `*` around a `*`.
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

/** A fenced block on lines of its own; the caret goes behind what opens it. */
function asBlock(opening: string, { text, start, end }: Selected): Replacement {
  const before = start > 0 && text[start - 1] !== "\n" ? "\n" : "";
  const insert = `${before}${opening}\n${text.slice(start, end)}\n\`\`\`\n`;
  const at = start + before.length + opening.length;
  return { from: start, to: end, insert, start: at, end: at };
}
