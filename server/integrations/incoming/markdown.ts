import { lookUp } from "./payload.ts";

/*
 * Escapes names, titles and bodies of other services for Markdown, so that they neither mention anyone nor format
 * anything. Messages have no backslash escapes, so these functions use character references.
 */

const MAX_LINE = 300;
const MAX_QUOTE = 3000;
const MAX_ADDRESS = 2000;

const reference = (character: string): string => `&#${character.codePointAt(0)};`;

/** Truncates a text to `length` code points, the ellipsis included. */
export function cut(text: string, length: number, ellipsis = "…"): string {
  // A code point has one or two units, so most texts need no array.
  if (text.length <= length) return text;
  const characters = Array.from(text.slice(0, length * 2 + 2));
  if (characters.length <= length) return text;
  return characters.slice(0, length - ellipsis.length).join("") + ellipsis;
}

/** Enough of a text for its first `length` code points, so that the rest need not be converted. */
const beginning = (text: string, length: number): string => text.slice(0, 4 * length);

/** Line breaks and control characters as single spaces. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();

const SPECIAL = /[*`]|<(?=time:)|(?<=~)~|(?<=\$)\$/g;
const SPECIAL_AND_BRACKETS = new RegExp(`${SPECIAL.source}|[[\\]]`, "g");
/** Balanced brackets that do not begin a link. */
const HARMLESS_BRACKETS = /^[^[\]]*(?:\[[^[\]]*\](?![([:])[^[\]]*)*$/;
/** Begins a block at the start of a line, or a slash command at the start of a message. */
const BLOCK_START = /^(?:#+\s|>|[-+_]\s|[-_]{3}|\/\w)/;

/** Escapes a text for a line of Markdown. */
export const plain = (text: string): string => shownAsItIs(text, HARMLESS_BRACKETS);

/** Like `plain`, for a text that any text may follow: escapes all brackets. */
export const plainAnywhere = (text: string): string => shownAsItIs(text, /^[^[\]]*$/);

function shownAsItIs(text: string, harmlessBrackets: RegExp): string {
  const line = cut(oneLine(beginning(text, MAX_LINE)), MAX_LINE);
  const marks = harmlessBrackets.test(line) ? SPECIAL : SPECIAL_AND_BRACKETS;
  const escaped = line
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replace(marks, reference)
    .replace(/^(\d+)\.(?=\s|$)/, "$1&#46;");
  return BLOCK_START.test(escaped) ? reference(escaped) + escaped.slice(1) : escaped;
}

export const bold = (text: string): string => (oneLine(text) === "" ? "" : `**${plain(text)}**`);

/** Inline code, which cannot contain a backtick. */
export function code(text: string): string {
  const line = cut(oneLine(beginning(text, MAX_LINE)), MAX_LINE).replaceAll("`", "'");
  return line === "" ? "" : `\`${line}\``;
}

/** A web URL that is safe inside a Markdown link; undefined for any other text. */
export function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || url.length > MAX_ADDRESS || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    return undefined;
  return withinAddress(url);
}

/** Encodes a part of a URL so that it cannot end the link that contains it. */
export function withinAddress(text: string): string {
  const encode = (character: string): string =>
    character < "\x80"
      ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
      : encodeURIComponent(character);
  const address = text.slice(0, MAX_ADDRESS).toWellFormed().trim();
  return address.replace(/[\s\p{Cc}()<>[\]"'`*\\|]/gu, encode);
}

/** A link, or only the name if there is no web URL. */
export function link(name: string, url: string | undefined): string {
  const address = webAddress(url);
  return address === undefined || oneLine(name) === "" ? plain(name) : `[${plain(name)}](${address})`;
}

/**
 * Quotes each line, so that no fence in the text can end the quote. Mentions in quotes do not notify. Omits HTML
 * comments, which are common in templates for descriptions.
 */
export function quote(text: string | undefined, length = MAX_QUOTE): string | undefined {
  const shown = cut((text ?? "").replace(/<!--.*?(?:-->|$)/gs, "").trim(), length);
  if (shown === "") return undefined;
  const lines = shown.split(/\r\n|\r|\n/).map((line) => (line.trim() === "" ? ">" : `> ${line}`));
  return lines.join("\n");
}

/** A code block with fences longer than all fences in the text. */
export function codeBlock(text: string, language: string, length = MAX_QUOTE): string {
  const shown = cut(text, length, "\n…");
  const fences = shown.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(fences.reduce((longest, each) => Math.max(longest, each.length + 1), 3));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A time, which clients show in the reader's time zone. `moment` is a date, or UNIX seconds. */
export function time(moment: string | number | undefined): string | undefined {
  if (moment === undefined) return undefined;
  const at = new Date(typeof moment === "number" ? moment * 1000 : moment);
  const year = at.getUTCFullYear();
  // Go sends its zero time, in the year 1, for a missing time.
  return Number.isNaN(year) || year < 1970 || year > 9999 ? undefined : `<time:${at.toISOString().slice(0, 19)}Z>`;
}

export const paragraphs = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");

export const lines = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n");

/** A list of details, without empty ones: `- Severity: high`. */
export const details = (rows: readonly (readonly [name: string, value: string | undefined])[]): string =>
  rows.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join("\n");

/** A sentence that ends with a colon if a body follows, else with a full stop. */
export const withBody = (sentence: string, body: string | undefined): string =>
  paragraphs(`${sentence}${body ? ":" : "."}`, body);

/** The name of a state or action: `in_progress` as "in progress". */
export const words = (name: string): string => plain(name.replaceAll("_", " "));

const BUILD_MARKS: Readonly<Record<string, string>> = {
  ...{ success: "✅ ", successful: "✅ ", failure: "❌ ", failed: "❌ ", error: "❌ ", timed_out: "❌ " },
  ...{ cancelled: "⚪ ", canceled: "⚪ ", stopped: "⚪ ", running: "🔵 ", inprogress: "🔵 " },
};
/** The mark in front of the state of a build. */
export const buildMark = (state: string): string => lookUp(BUILD_MARKS, state) ?? "";

const ALERT_MARKS: Readonly<Record<string, string>> = {
  ...{ firing: "🔴", alerting: "🔴", down: "🔴", critical: "🔴" },
  ...{ resolved: "🟢", ok: "🟢", up: "🟢" },
};
/** The mark of the state of an alert or a monitor. */
export const alertMark = (state: string): string => lookUp(ALERT_MARKS, state) ?? "🟡";

/** "a, b and c" */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A wildcard mention, or a mention of a system group. */
export const WILDCARD = /(@(?:\*\*(?:all|everyone|channel|stream|topic)\*\*|\*role:[^*\n]+\*))/;
const EVERY_WILDCARD = new RegExp(WILDCARD, "g");

/** Makes wildcard mentions silent. */
export const withoutWildcards = (text: string): string =>
  text.replace(EVERY_WILDCARD, (mention) => `@_${mention.slice(1)}`);

const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const PUT_ASIDE = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");

/** Converts another markup to Markdown. `putAside` protects finished parts, such as code, from later steps. */
export function converted(
  text: string,
  convert: (text: string, putAside: (markdown: string) => string) => string,
): string {
  const aside: string[] = [];
  const putAside = (markdown: string): string => `${OPEN}${aside.push(markdown) - 1}${CLOSE}`;
  const result = convert(text.replaceAll(OPEN, "").replaceAll(CLOSE, ""), putAside);
  return result.replace(PUT_ASIDE, (_all, index: string) => aside[Number(index)] ?? "");
}
