/** Marks of quotes and list items before the text of a line. */
const MARKS = /^(?:\s*(?:>|(?:[-+*]|\d{1,9}[.)])(?=\s|$)))*/;
const FENCE = /^(`{3,}|~{3,})\s*([\w+#./-]*)[^`~]*$/;
/** Fenced blocks with Markdown inside. */
const MARKDOWN_BLOCKS = ["quote", "quoted", "spoiler"];

interface Fence {
  readonly fence: string;
  readonly isCode: boolean;
  /** The number of quotes around it. The block ends with them. */
  readonly quotes: number;
}

/** Whether a position is in a fenced block of code or a formula, or in inline code. */
export function isInCode(text: string, position: number): boolean {
  return isInFence(text.slice(0, position)) || isInInlineCode(text, position);
}

/** Whether the next line after `before` is in a fenced block of code or a formula. */
export function isInFence(before: string): boolean {
  const open: Fence[] = [];
  for (const line of before.split("\n").slice(0, -1)) {
    const [marks = ""] = MARKS.exec(line) ?? [];
    const quotes = marks.split(">").length - 1;
    while ((open.at(-1)?.quotes ?? 0) > quotes) open.pop();
    const last = open.at(-1);
    const [, fence, kind = ""] = FENCE.exec(line.slice(marks.length).trim()) ?? [];
    if (last && withoutQuotes(line, last.quotes) === last.fence) open.pop();
    else if (fence && !last?.isCode)
      open.push({ fence, isCode: !MARKDOWN_BLOCKS.includes(kind.toLowerCase()), quotes });
  }
  return open.at(-1)?.isCode === true;
}

/** The text of a line inside these quotes. Code can contain further marks. */
const withoutQuotes = (line: string, quotes: number): string =>
  Array.from({ length: quotes })
    .reduce<string>((rest) => rest.replace(/^\s*>/, ""), line)
    .trim();

/** Inline code ends with as many backticks as it begins with. Only code within one line is recognized. */
function isInInlineCode(text: string, position: number): boolean {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const end = text.indexOf("\n", position);
  const runs = [...text.slice(start, end < 0 ? undefined : end).matchAll(/`+/g)];
  for (let at = 0; at < runs.length; at += 1) {
    const { index = 0, 0: marks = "" } = runs[at] ?? {};
    if (start + index >= position) return false;
    const closing = runs.findIndex(({ 0: other }, later) => later > at && other.length === marks.length);
    if (closing < 0) continue;
    if (start + (runs[closing]?.index ?? 0) >= position) return true;
    at = closing;
  }
  return false;
}
