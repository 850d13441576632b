import type { Token } from "markdown-it";
import { renderCode } from "./code.ts";
import type { Rendering } from "./context.ts";
import type { InlineMeta } from "./inlines.ts";
import { displayMath, inlineMath } from "./math.ts";
import { audioHtml, mediaUnder, shownUploads } from "./media.ts";
import { escapeHtml } from "./plain.ts";
import type { WordMeta } from "./words.ts";

/*
 * Writes tokens as the HTML that public clients parse. They are strict about classes, nesting, and line breaks between
 * elements, so every element is written explicitly.
 */

const attribute = (name: string, value: string | number): string => ` ${name}="${escapeHtml(String(value))}"`;

/** Elements whose contents begin on a new line. */
const BLOCKS: Record<string, string> = {
  blockquote: "blockquote",
  table: "table",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  bullet_list: "ul",
  ordered_list: "ol",
};

export function writeBlocks(tokens: readonly Token[], rendering: Rendering): string {
  const shown = shownUploads(tokens, rendering);
  let html = "";
  let columns = 0;
  let under = "";
  for (const [index, token] of tokens.entries()) {
    // An empty quote is not shown.
    const [opening, closing] = token.nesting > 0 ? [token, tokens[index + 1]] : [tokens[index - 1], token];
    const isEmptyQuote = opening?.type === "blockquote_open" && closing?.type === "blockquote_close";
    if (token.type === "inline") under = (token.children ?? []).map((link) => uploadUnder(shown, link)).join("");
    if (token.hidden || isEmptyQuote) {
      if (token.type === "paragraph_close" && under !== "") html += `\n${under}`;
      if (token.type === "paragraph_close") under = "";
      continue;
    }
    const [, name = "", end] = /^(.*?)(?:_(open|close))?$/.exec(token.type) ?? [];
    if (name === "tr" && end === "open") columns = 0;
    if (name === "th" && end === "open") columns++;
    if (name === "table" && end === "close" && tokens[index - 1]?.type === "thead_close") {
      // Clients expect a table body with a row as wide as the header.
      html += `<tbody>\n<tr>\n${"<td></td>\n".repeat(columns)}</tr>\n</tbody>\n`;
    }
    html += writeBlock(token, name, end, tokens[index + 1], rendering, shown);
    if (under !== "" && /^(?:paragraph|heading)_close$/.test(token.type)) {
      html += `${under}\n`;
      under = "";
    }
  }
  return html.trimEnd();
}

type ShownUploads = ReturnType<typeof shownUploads>;

function uploadUnder(shown: ShownUploads, link: Token): string {
  const upload = shown.get(link);
  return upload ? mediaUnder(upload) : "";
}

function writeBlock(
  token: Token,
  name: string,
  end: string | undefined,
  next: Token | undefined,
  rendering: Rendering,
  shown: ShownUploads,
): string {
  const block = BLOCKS[name];
  if (block !== undefined) {
    const start = token.attrGet("start");
    return end === "close" ? `</${block}>\n` : `<${block}${start === null ? "" : attribute("start", start)}>\n`;
  }
  switch (name) {
    case "inline":
      return writeInline(token.children ?? [], rendering, shown);
    case "paragraph":
      return end === "close" ? "</p>\n" : "<p>";
    case "heading":
      return end === "close" ? `</${token.tag}>\n` : `<${token.tag}>`;
    case "list_item": {
      if (end === "close") return "</li>\n";
      return next?.hidden || next?.type === "list_item_close" ? "<li>" : "<li>\n";
    }
    case "th":
    case "td": {
      if (end === "close") return `</${name}>\n`;
      const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet("style") ?? ""))?.[1];
      return `<${name}${align === undefined ? "" : attribute("style", `text-align: ${align};`)}>`;
    }
    case "hr":
      return "<hr>\n";
    case "fence":
    case "code_block":
      return `${renderCode(token.content, token.info, name === "fence" ? (rendering.context.defaultCodeLanguage ?? "") : "", rendering.languages)}\n`;
    case "math_block":
      return `${displayMath(token.content, rendering.math)}\n`;
    case "spoiler":
      return end === "close" ? "</div></div>\n" : '<div class="spoiler-block"><div class="spoiler-header">\n';
    case "spoiler_between":
      return '</div><div class="spoiler-content" aria-hidden="true">\n';
    default:
      throw new Error(`There is no HTML for the token ${token.type}.`);
  }
}

function writeInline(tokens: readonly Token[], rendering: Rendering, shown: ShownUploads): string {
  let html = "";
  let isInPlayer = false;
  for (const [index, token] of tokens.entries()) {
    const upload = shown.get(token);
    if (upload?.media.kind === "audio") {
      html += audioHtml(upload);
      isInPlayer = true;
    }
    if (isInPlayer) {
      isInPlayer = token.type !== "link_close";
      continue;
    }
    switch (token.type) {
      case "text":
        if (!isBlankLabel(tokens[index - 1], token, tokens[index + 1])) html += escapeHtml(token.content);
        break;
      case "softbreak":
      case "hardbreak":
        html += "<br>\n";
        break;
      case "code_inline":
        html += `<code>${escapeHtml(token.content)}</code>`;
        break;
      case "link_open":
        html += writeLinkOpen(token, tokens[index + 1], tokens[index + 2]);
        break;
      case "link_close":
      case "strong_open":
      case "strong_close":
      case "em_open":
      case "em_close":
      case "del_open":
      case "del_close":
        html += `<${token.nesting < 0 ? "/" : ""}${token.tag}>`;
        break;
      default:
        html += writeMeta(token.meta as InlineMeta | WordMeta, rendering);
    }
  }
  return html;
}

const isBlankLabel = (before: Token | undefined, token: Token | undefined, after: Token | undefined): boolean =>
  before?.type === "link_open" && token?.type === "text" && token.content.trim() === "" && after?.type === "link_close";

/** A link without text shows its URL. */
function writeLinkOpen(token: Token, next: Token | undefined, afterNext: Token | undefined): string {
  const href = String(token.attrGet("href") ?? "");
  const attributes = ["class", "href", "title"].map((name) => {
    const value = token.attrGet(name);
    return value === null ? "" : attribute(name, value);
  });
  const isEmpty = next?.type === "link_close" || isBlankLabel(token, next, afterNext);
  return `<a${attributes.join("")}>${isEmpty ? escapeHtml(href) : ""}`;
}

function writeMeta(meta: InlineMeta | WordMeta, rendering: Rendering): string {
  switch (meta.is) {
    case "mention": {
      const id = meta.attribute === undefined ? "" : attribute(meta.attribute, meta.id ?? "");
      return `<span${attribute("class", meta.className)}${id}>${escapeHtml(meta.text)}</span>`;
    }
    case "channel": {
      const id = meta.id === undefined ? "" : attribute("data-stream-id", String(meta.id));
      const empty = `<em>${escapeHtml(rendering.context.emptyTopicName ?? "")}</em>`;
      const topic = meta.topic === undefined ? "" : ` &gt; ${meta.topic === "" ? empty : escapeHtml(meta.topic)}`;
      const text = `#${escapeHtml(meta.channel)}${topic}${escapeHtml(meta.after ?? "")}`;
      return `<a${attribute("class", meta.className)}${id}${attribute("href", meta.href)}>${text}</a>`;
    }
    case "time":
      return meta.at === undefined
        ? `<span class="timestamp-error">Invalid time format: ${escapeHtml(meta.text)}</span>`
        : `<time${attribute("datetime", meta.at)}>${escapeHtml(meta.text)}</time>`;
    case "math":
      return inlineMath(meta.source, rendering.math);
    case "emoji": {
      const { name, code } = meta.emoji;
      const title = escapeHtml(name.replaceAll("_", " "));
      return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${escapeHtml(name)}:</span>`;
    }
    case "custom emoji": {
      const name = escapeHtml(meta.name);
      const title = escapeHtml(meta.name.replaceAll("_", " "));
      return `<img alt=":${name}:" class="emoji"${attribute("src", meta.url)} title="${title}">`;
    }
  }
}
