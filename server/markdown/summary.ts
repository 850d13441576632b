import { textOfHtml } from "./matches.ts";

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
