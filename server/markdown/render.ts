import MarkdownIt, { type Token } from "markdown-it";
import { leadsToImage, leadsToUpload, withScheme } from "./addresses.ts";
import { isAllowed } from "./allow-list.ts";
import { addBlocks } from "./blocks.ts";
import type { Mentions, RenderContext, Rendering } from "./context.ts";
import { writeBlocks } from "./html.ts";
import { addInlines } from "./inlines.ts";
import { type Linkifiers, linkified, newLinkifierBudget, withoutOverlaps } from "./linkifiers.ts";
import { newMathBudget } from "./math.ts";
import { plainHtml } from "./plain.ts";
import { escapeHtml } from "./text.ts";
import { addAddresses, addressesIn, newAddressBudget, readWords, type TopicLink } from "./words.ts";

/** Raised whenever the same text comes out as different HTML; kept with every message. */
export const RENDERER_VERSION = 2;

/** Rendering runs between two requests, so its work is bounded; what goes beyond is shown as it was typed. */
const MAX_DEPTH = 20;
const MAX_TOKENS = 20_000;
/** In UTF-16 units: twice what a message of the greatest length in code points can have. */
const MAX_LENGTH = 40_000;

export interface Rendered {
  html: string;
  mentions: Mentions;
  /** Where links lead, each once, in order: what previews are made from, and files are claimed by. */
  links: readonly string[];
  hasLink: boolean;
  hasImage: boolean;
  /** It links to a file that was uploaded here. */
  hasAttachment: boolean;
  isMeMessage: boolean;
  /** What `alertWords` of the context finds in the text. */
  alertWords: readonly string[];
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 2 * MAX_DEPTH });
// Addresses with a scheme are seen while a line is read, all others word by word (words.ts).
markdown.core.ruler.disable("linkify");
addBlocks(markdown);
addInlines(markdown);
addAddresses(markdown);
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
  if (isWithinBounds(tokens)) readWords(md, tokens, rendering);
});

function isWithinBounds(tokens: readonly Token[]): boolean {
  let count = 0;
  for (const token of tokens) {
    count += 1 + (token.children?.length ?? 0);
    if (count > MAX_TOKENS || token.level > MAX_DEPTH) return false;
    for (const child of token.children ?? []) if (token.level + child.level > MAX_DEPTH) return false;
  }
  return true;
}

const asTyped = (text: string): string => `<p>${escapeHtml(text).replaceAll("\n", "<br>\n")}</p>`;

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
  linkifierBudget: newLinkifierBudget(),
  addressBudget: newAddressBudget(),
  links: new Set(),
  words: "",
});

/**
 * Markdown in the public protocol's flavour to HTML that is safe to show: what looks like HTML in it is text, links
 * lead to web, mail and phone only. What it refers to (people, channels, emoji) is looked up in the context.
 */
export function renderMarkdown(text: string, context: RenderContext = {}): Rendered {
  const isMeMessage = text.startsWith("/me ") && !text.includes("\n");
  // Linkifiers may match anything.
  const plain = context.linkifiers?.length ? undefined : plainHtml(text);
  if (plain !== undefined) {
    const alertWords = context.alertWords?.(text.replaceAll("*", "")) ?? [];
    return { html: plain, isMeMessage, ...NOTHING, alertWords };
  }
  if (text.length <= MAX_LENGTH) {
    const rendering = newRendering(context);
    const tokens = markdown.parse(text, rendering as unknown as Record<string, unknown>);
    if (isWithinBounds(tokens)) {
      const html = writeBlocks(tokens, rendering);
      if (isAllowed(html)) return { html, isMeMessage, ...resultOf(rendering) };
    }
  }
  // Nobody is told by a text that nobody can read.
  return { html: asTyped(text), isMeMessage, ...resultOf({ ...newRendering(context), words: text }) };
}

/** What a text without mentions and links refers to. */
const NOTHING: Omit<Rendered, "html" | "isMeMessage" | "alertWords"> = {
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
    hasImage: links.some(leadsToImage),
    hasAttachment: links.some(leadsToUpload),
    alertWords: rendering.context.alertWords?.(rendering.words) ?? [],
  };
}

/** What a topic's name links to, in order: linkifiers' matches and addresses. */
export function linksInTopic(topic: string, linkifiers: Linkifiers): TopicLink[] {
  const addresses = addressesIn(markdown, topic).filter(({ href }) => /^https?:/i.test(href));
  const found = linkified(topic, linkifiers).map(({ start, end, url }) => ({ start, end, href: url }));
  return withoutOverlaps([...found, ...addresses]).map(({ start, end, href }) => ({
    text: topic.slice(start, end),
    url: href,
  }));
}

/** A message as it is kept: line ends made equal, no empty lines before and no blanks after. */
export const messageText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd();
