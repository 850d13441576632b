import type { Reference, Text } from "./model.ts";

/* Parts of texts that several formats share. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const UNCLEAN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/;

/** Removes control characters and lone surrogates. Line ends become `\n`. */
export const clean = (content: string): string =>
  UNCLEAN.test(content)
    ? content
        .replace(/\r\n?/g, "\n")
        .replace(/[^\P{Cc}\t\n]/gu, "")
        .toWellFormed()
    : content;

/** Longer texts are not parsed: Hearth's messages are shorter. */
export const MAX_PARSED = 100_000;

const PLAIN = /^\p{L}[\p{L}\p{N} .,;!?'"()%=/–—…-]*(?:\n\p{L}[\p{L}\p{N} .,;!?'"()%=/–—…-]*)*$/u;

/** Whether the text needs no conversion, like most texts: no character is syntax in Hearth or at the source. */
export const isPlain = (text: string): boolean => text.length <= MAX_PARSED && PLAIN.test(text);

/** A text without adjacent strings and empty strings. */
export function joined(parts: Iterable<string | Reference>): Text {
  const text: (string | Reference)[] = [];
  for (const part of parts) {
    const last = text.at(-1);
    if (typeof part === "string" && typeof last === "string") text[text.length - 1] = last + part;
    else if (part !== "") text.push(part);
  }
  return text;
}

/** Non-empty texts with a separator between them. */
export const separated = (texts: readonly Text[], separator: string): Text =>
  joined(texts.filter((text) => text.length > 0).flatMap((text, at) => (at === 0 ? text : [separator, ...text])));

export const isBlank = (text: Text): boolean => text.every((part) => typeof part === "string" && part.trim() === "");

/** Backticks that do not occur in the contents. */
export function fenceFor(contents: Text): string {
  let longest = 2;
  for (const part of contents)
    if (typeof part === "string") for (const [run] of part.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

/** A block of Markdown between fences: code, or the contents of a quote. */
export function fenced(contents: Text, language = ""): Text {
  const fence = fenceFor(contents);
  return joined([`${fence}${language}\n`, ...contents, `\n${fence}`]);
}
