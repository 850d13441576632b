import { textOfHtml } from "./matches.ts";
import { unescapeHtml } from "./plain.ts";

const MAX_LENGTH = 200;
const SPOILER = '<div class="spoiler-content"';
const QUOTE = /<blockquote>[\s\S]*<\/blockquote>/g;

/**
 * A message as one line of text, at most 200 characters, for notifications. It has no spoilers, and no quotes if there
 * is other text. `content`, the Markdown, is for messages whose HTML has no text, such as emoji.
 */
export function summaryOf(html: string, content: string): string {
  const shown = withoutSpoilers(html);
  const line = oneLine(textOfHtml(shown.replace(QUOTE, " "))) || oneLine(textOfHtml(shown));
  const text = (line || (shown === html ? oneLine(content) : "")).replace(/^\/me /, "");
  const letters = [...text];
  return letters.length <= MAX_LENGTH ? text : `${letters.slice(0, MAX_LENGTH - 1).join("")}…`;
}

/** A message as lines of text without spoilers, for mails. `content`: see `summaryOf`. */
export function textOf(html: string, content: string, maxLength: number): string {
  const shown = withoutSpoilers(html);
  const hasSpoiler = shown !== html;
  // A formula has hundreds of tags. Its source is readable.
  const isFormula = shown.includes('class="katex');
  const text = isFormula ? trimmed(hasSpoiler ? textOfHtml(shown) : content) : linesOf(shown);
  const letters = [...(text || (hasSpoiler ? "" : content))];
  return letters.length <= maxLength ? letters.join("") : `${letters.slice(0, maxLength - 1).join("")}…`;
}

const LINE_END = /<br>\n?|<\/(?:p|li|h\d|pre|div|tr|blockquote|ul|ol)>\n?/g;
const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g;
const CUSTOM_EMOJI = /<img alt="([^"]*)" class="emoji"[^>]*>/g;

const linesOf = (html: string): string =>
  trimmed(
    unescapeHtml(
      html
        .replace(EMOJI, (_, code: string) =>
          String.fromCodePoint(...code.split("-").map((part) => Number.parseInt(part, 16))),
        )
        .replace(CUSTOM_EMOJI, "$1")
        .replace(/<li>/g, "- ")
        .replace(LINE_END, "\n")
        .replace(/<[^>]*>/g, ""),
    ),
  );

const trimmed = (text: string): string =>
  text
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Removes the hidden part of each spoiler: a `div` that can contain others. */
function withoutSpoilers(html: string): string {
  const start = html.indexOf(SPOILER);
  if (start < 0) return html;
  const tags = /<(\/?)div\b[^>]*>/g;
  tags.lastIndex = start;
  let depth = 0;
  for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
    depth += tag[1] === "/" ? -1 : 1;
    if (depth === 0) return html.slice(0, start) + withoutSpoilers(html.slice(tags.lastIndex));
  }
  return html.slice(0, start);
}
