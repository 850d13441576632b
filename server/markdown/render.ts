import MarkdownIt, { type Token } from "markdown-it";
import { isAllowed } from "./allow-list.ts";
import { addBlocks } from "./blocks.ts";
import type { Mentions, RenderContext, Rendering } from "./context.ts";
import { writeBlocks } from "./html.ts";
import { addInlines } from "./inlines.ts";
import { type Linkifiers, linkified, newLinkifierBudget, withoutOverlaps } from "./linkifiers.ts";
import { newMathBudget } from "./math.ts";
import { escapeHtml, plainHtml } from "./plain.ts";
import { isImageLink, isUploadLink, withScheme } from "./urls.ts";
import { addAutolinks, autolinksIn, newAutolinkBudget, readWords, type TopicLink } from "./words.ts";

/** Incremented when the same text gives different HTML; stored with every message. */
export const RENDERER_VERSION = 8;

/** Rendering blocks the event loop, so its work is bounded; texts beyond these limits are shown as plain text. */
const MAX_DEPTH = 20;
const MAX_TOKENS = 20_000;
/** Short rows are filled with empty cells, so a short text can have a million cells. */
const MAX_CELLS = 4000;
/** With more emoji the HTML is too long anyway. */
const MAX_EMOJI = 2000;
/** In UTF-16 units: a message of the maximum length in code points has at most half as many. */
const MAX_LENGTH = 40_000;
/**
 * The maximum HTML of a message in UTF-16 units: `floor`, and `perUnit` more for each unit of its text. An emoji takes
 * a hundred units, so 10,000 of them would fill the disk and responses (docs/protocol.md#limits).
 */
export const MAX_HTML = { floor: 64_000, perUnit: 4 };

export interface Rendered {
  html: string;
  mentions: Mentions;
  /** Targets of links in order, without duplicates: for previews, and for finding the files that a message uses. */
  links: readonly string[];
  hasLink: boolean;
  hasImage: boolean;
  /** Whether it links to an uploaded file. */
  hasAttachment: boolean;
  isMeMessage: boolean;
  /** The paths of uploaded pictures that have placeholders in the HTML. */
  awaitsPictures: readonly string[];
  /** The result of `alertWords` of the context. */
  alertWords: readonly string[];
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 2 * MAX_DEPTH });
// The inline parser finds URLs with a scheme; words.ts finds the others.
markdown.core.ruler.disable("linkify");
addBlocks(markdown);
addInlines(markdown);
addAutolinks(markdown);
const normalizeLink = markdown.normalizeLink.bind(markdown);
markdown.normalizeLink = (url) => normalizeLink(withScheme(url));

markdown.core.ruler.at("inline", ({ tokens, env, md }) => {
  const rendering = env as unknown as Rendering;
  for (const token of tokens) {
    if (token.type === "blockquote_open") rendering.quotes++;
    else if (token.type === "blockquote_close") rendering.quotes--;
    else if (token.type === "inline") {
      token.children = [];
      md.inline.parse(token.content, md, env, token.children);
    }
  }
});
markdown.core.ruler.push("words", ({ tokens, env, md }) => {
  const rendering = env as unknown as Rendering;
  if (isWithinBounds(tokens, rendering)) readWords(md, tokens, rendering);
});

function isWithinBounds(tokens: readonly Token[], { cells, emoji }: Rendering): boolean {
  if (cells < 0 || emoji < 0) return false;
  let count = 0;
  for (const token of tokens) {
    count += 1 + (token.children?.length ?? 0);
    if (count > MAX_TOKENS || token.level > MAX_DEPTH) return false;
    for (const child of token.children ?? []) if (token.level + child.level > MAX_DEPTH) return false;
  }
  return true;
}

const isHtmlTooLong = (text: string, html: string): boolean =>
  html.length > MAX_HTML.floor + MAX_HTML.perUnit * text.length;

/** The HTML of a stored message, or plain text if its HTML is older than the limit and too long. */
export const boundedHtml = (text: string, html: string): string =>
  isHtmlTooLong(text, html) ? plainTextHtml(text) : html;

/** A text as it was typed. */
export const plainTextHtml = (text: string): string => `<p>${escapeHtml(text).replaceAll("\n", "<br>\n")}</p>`;

const newRendering = (context: RenderContext): Rendering => ({
  context,
  quotes: 0,
  userIds: new Set(),
  groupIds: new Set(),
  silentUserIds: new Set(),
  silentGroupIds: new Set(),
  refusedGroupIds: new Set(),
  channelWildcard: false,
  topicWildcard: false,
  resolved: new Map(),
  math: newMathBudget(),
  cells: MAX_CELLS,
  emoji: MAX_EMOJI,
  languages: new Set(),
  linkifierBudget: newLinkifierBudget(),
  autolinkBudget: newAutolinkBudget(),
  links: new Set(),
  awaitedPictures: new Set(),
  words: "",
});

/**
 * Renders Markdown in the public protocol's flavour to safe HTML: HTML in the text stays text, and links lead to web,
 * mail and phone only. References to people, channels and emoji are looked up in the context.
 */
export function renderMarkdown(text: string, context: RenderContext = {}): Rendered {
  const isMeMessage = text.startsWith("/me ") && !text.includes("\n");
  // Linkifiers may match in any text.
  const plain = context.linkifiers?.length ? undefined : plainHtml(text);
  if (plain !== undefined) {
    const alertWords = context.alertWords?.(text.replaceAll("*", "")) ?? [];
    return { html: plain, isMeMessage, ...NO_REFERENCES, alertWords };
  }
  if (text.length <= MAX_LENGTH) {
    const rendering = newRendering(context);
    const tokens = markdown.parse(text, rendering as unknown as Record<string, unknown>);
    if (isWithinBounds(tokens, rendering)) {
      const html = writeBlocks(tokens, rendering);
      // A fence that quotes nothing is empty HTML.
      const isLost = html === "" && text.trim() !== "";
      if (!isLost && !isHtmlTooLong(text, html) && isAllowed(html))
        return { html, isMeMessage, ...resultOf(rendering) };
    }
  }
  // An unrendered text does not notify anyone.
  return { html: plainTextHtml(text), isMeMessage, ...resultOf({ ...newRendering(context), words: text }) };
}

/** The references of a text without mentions and links. */
const NO_REFERENCES: Omit<Rendered, "html" | "isMeMessage" | "alertWords"> = {
  mentions: {
    userIds: [],
    groupIds: [],
    channelWildcard: false,
    topicWildcard: false,
    silentUserIds: [],
    silentGroupIds: [],
    refusedGroupIds: [],
  },
  links: [],
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  awaitsPictures: [],
};

function resultOf(rendering: Rendering): Omit<Rendered, "html" | "isMeMessage"> {
  const links = [...rendering.links];
  return {
    mentions: {
      userIds: [...rendering.userIds],
      groupIds: [...rendering.groupIds],
      channelWildcard: rendering.channelWildcard,
      topicWildcard: rendering.topicWildcard,
      silentUserIds: [...rendering.silentUserIds],
      silentGroupIds: [...rendering.silentGroupIds],
      refusedGroupIds: [...rendering.refusedGroupIds],
    },
    links,
    hasLink: links.length > 0,
    hasImage: links.some(isImageLink),
    hasAttachment: links.some(isUploadLink),
    awaitsPictures: [...rendering.awaitedPictures],
    alertWords: rendering.context.alertWords?.(rendering.words) ?? [],
  };
}

/** The links in a topic's name, in order: matches of linkifiers, and URLs. */
export function linksInTopic(topic: string, linkifiers: Linkifiers): TopicLink[] {
  const addresses = autolinksIn(markdown, topic).filter(({ href }) => /^https?:/i.test(href));
  const found = linkified(topic, linkifiers).map(({ start, end, url }) => ({ start, end, href: url }));
  return withoutOverlaps([...found, ...addresses]).map(({ start, end, href }) => ({
    text: topic.slice(start, end),
    url: href,
  }));
}

/** Normalizes a message for storage: line ends, empty lines at the start, whitespace at the end. */
export const messageText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd();

/** Uses a fence that is longer than any in the text, so that the text cannot end the quote. */
export function quoteOf(text: string): string {
  const rows = new Set([...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  let length = 3;
  while (rows.has(length)) length += 1;
  const fence = "`".repeat(length);
  return `${fence}quote\n${text}\n${fence}`;
}
