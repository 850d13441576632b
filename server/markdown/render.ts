import MarkdownIt, { type Token } from "markdown-it";

/** Raised whenever the same text comes out as different HTML; kept with every message. */
export const RENDERER_VERSION = 1;

/** Rendering runs between two requests, so its work is bounded; what goes beyond is shown as it was typed. */
const MAX_DEPTH = 20;
const MAX_TOKENS = 20_000;

export interface Mentions {
  readonly userIds: readonly number[];
}
const NOBODY: Mentions = { userIds: [] };

export interface Rendered {
  html: string;
  mentions: Mentions;
}

const SAFE_LINK = /^(?:https?:|mailto:|tel:|xmpp:|\/(?!\/)|#)/i;

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 100 });
markdown.validateLink = (url: string) => SAFE_LINK.test(url.trim());
// Pictures from elsewhere would tell elsewhere who reads: `![a](b)` is left as a link.
markdown.disable("image");

// Looking for addresses in one word takes time by its length squared, and no address that people send is this long.
const LONG_WORD = /\S{2000}/;
const BEGINS_LONG = /^\S{2000}/;
const { linkify } = markdown;
const [test, matchAtStart] = [linkify.test.bind(linkify), linkify.matchAtStart.bind(linkify)];
linkify.test = (text) => !LONG_WORD.test(text) && test(text);
linkify.matchAtStart = (text) => (BEGINS_LONG.test(text) ? null : matchAtStart(text));

function isWithinBounds(tokens: readonly Token[]): boolean {
  let count = 0;
  for (const token of tokens) {
    count += 1 + (token.children?.length ?? 0);
    if (count > MAX_TOKENS || token.level > MAX_DEPTH) return false;
    for (const child of token.children ?? []) if (token.level + child.level > MAX_DEPTH) return false;
  }
  return true;
}

const asTyped = (text: string): string => `<p>${markdown.utils.escapeHtml(text).replaceAll("\n", "<br>\n")}</p>`;

/** Markdown to HTML that is safe to show: what looks like HTML in it is text, links lead to web, mail and phone only. */
export function renderMarkdown(text: string): Rendered {
  const environment = {};
  const tokens = markdown.parse(text, environment);
  const html = isWithinBounds(tokens)
    ? markdown.renderer.render(tokens, markdown.options, environment).trimEnd()
    : asTyped(text);
  return { html, mentions: NOBODY };
}

/** A message as it is kept: line ends made equal, no empty lines before and no blanks after. */
export const messageText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd();
