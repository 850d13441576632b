import type { Reference, Text } from "../../model.ts";
import { fenced, joined } from "../../texts.ts";
import { inline, type Names } from "./inline.ts";

/** Hearth's messages have at most 10,000 characters, so the rest of a longer text is not parsed. */
const MAX_PARSED = 40_000;

type Kind = "text" | "list" | "quote" | "block";

interface Block {
  readonly kind: Kind;
  readonly text: Text;
  /** The line after it. */
  readonly next: number;
}

/** The markup of Rocket.Chat as Hearth's Markdown. */
export function parseMarkup(source: string, names: Names): Text {
  const parsed = source.slice(0, MAX_PARSED).replace(/\r\n?/g, "\n");
  const lines = parsed.split("\n");
  const parts: (string | Reference)[] = [];
  let before: Kind | undefined;
  for (let at = 0; at < lines.length; ) {
    const { kind, text, next } = blockAt(lines, at, names);
    if (before !== undefined) parts.push(endsBefore(before, kind, lines[at] as string) ? "\n\n" : "\n");
    parts.push(...text);
    before = kind;
    at = next;
  }
  return joined([...parts, source.slice(MAX_PARSED)]);
}

/** In Markdown, text below a quote or a list belongs to it unless an empty line is between them. */
const endsBefore = (before: Kind, kind: Kind, line: string): boolean =>
  (before === "quote" || before === "list") && kind !== before && line.trim() !== "";

function blockAt(lines: readonly string[], at: number, names: Names): Block {
  const line = lines[at] as string;
  return (
    codeBlock(lines, at) ??
    formula(lines, at) ??
    oneLine("block", at, spoiler(line, names)) ??
    oneLine("quote", at, marked(/^ {0,3}(>)[ \t]?(.*)$/, line, names)) ??
    oneLine("text", at, marked(/^ {0,3}(#{1,6})[ \t]+(.*)$/, line, names)) ??
    oneLine("list", at, listItem(line, names)) ?? {
      kind: "text",
      text: inline(/^(?: {4}|\t)/.test(line) ? line.trimStart() : line, names), // otherwise code
      next: at + 1,
    }
  );
}

const oneLine = (kind: Kind, at: number, text: Text | undefined): Block | undefined =>
  text && { kind, text, next: at + 1 };

/** Fence languages with a special meaning in Hearth. */
const SPECIAL_LANGUAGES = new Set(["quote", "quoted", "spoiler", "math"]);

function codeBlock(lines: readonly string[], at: number): Block | undefined {
  const [, rest] = /^\s{0,3}```(?!`)(.*)$/.exec(lines[at] as string) ?? [];
  if (rest === undefined) return undefined;
  const end = rest.indexOf("```");
  if (end >= 0) {
    if (rest.slice(end + 3).trim() !== "") return undefined; // code within the line
    return { kind: "block", text: fenced([rest.slice(0, end)]), next: at + 1 };
  }
  let close = at + 1;
  while (close < lines.length && !(lines[close] as string).trimEnd().endsWith("```")) close++;
  const code = lines.slice(at + 1, close);
  const last = (lines[close] ?? "").trimEnd().slice(0, -3);
  if (last.trim() !== "") code.push(last);
  const word = /^[\w+\-./#]*$/.exec(rest.trim())?.[0];
  const isLanguage = word !== undefined && !SPECIAL_LANGUAGES.has(word.toLowerCase());
  if (word === undefined) code.unshift(rest);
  return { kind: "block", text: fenced([code.join("\n")], isLanguage ? word : ""), next: close + 1 };
}

/** `\[` and `\]` around the lines of a formula. */
function formula(lines: readonly string[], at: number): Block | undefined {
  const first = (lines[at] as string).trim();
  if (!first.startsWith("\\[")) return undefined;
  for (let close = at; close < Math.min(lines.length, at + 200); close++) {
    const line = (lines[close] as string).trimEnd();
    if (!line.endsWith("\\]")) continue;
    const source = [first, ...lines.slice(at + 1, close + 1)].join("\n").trimEnd();
    return { kind: "block", text: fenced([source.slice(2, -2).trim()], "math"), next: close + 1 };
  }
  return undefined;
}

/** Hearth has only block spoilers, so inline spoilers stay unchanged. */
function spoiler(line: string, names: Names): Text | undefined {
  const [, hidden] = /^\s*\|\|([^|]+)\|\|\s*$/.exec(line) ?? [];
  return hidden === undefined ? undefined : fenced(inline(hidden, names), "spoiler");
}

function marked(pattern: RegExp, line: string, names: Names): Text | undefined {
  const [, mark, rest] = pattern.exec(line) ?? [];
  if (mark === undefined || rest === undefined) return undefined;
  return rest === "" ? [mark] : joined([`${mark} `, ...inline(rest, names)]);
}

function listItem(line: string, names: Names): Text | undefined {
  const [, indent, mark, rest] = /^([ \t]{0,16})([-*]|\d{1,9}\.)[ \t]+(\S.*)$/.exec(line) ?? [];
  if (indent === undefined || mark === undefined || rest === undefined) return undefined;
  return joined([`${indent}${mark === "*" ? "-" : mark} `, ...inline(rest, names)]);
}
