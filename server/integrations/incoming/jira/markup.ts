import { bold, code, codeBlock, converted, cut, link } from "../markdown.ts";
import type { Payload } from "../payload.ts";

/* Jira's wiki markup, and the documents that have taken its place, as Markdown. */

const MAX_DEPTH = 20;
/** More than is quoted of it. */
const MAX_MARKUP = 5000;
const NOFORMAT = /\{noformat\}([\s\S]*?)\{noformat\}/g;
const CODE = /\{code(?::([\w+-]+)[^}\n]*)?\}([\s\S]*?)\{code\}/g;
const QUOTE = /\{quote\}([\s\S]*?)\{quote\}/g;

const quoted = (text: string): string =>
  text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

export function wikiMarkup(text: string): string {
  const markdown = converted(text.replaceAll("\r", ""), (given, putAside) => {
    const block = (body: string, language = ""): string => `\n${putAside(codeBlock(body.trim(), language))}\n`;
    return given
      .replace(NOFORMAT, (_all, body: string) => block(body))
      .replace(CODE, (_all, language: string | undefined, body: string) => block(body, language))
      .replace(/^bq\. (.*)$/gm, (_all, line: string) => `> ${line}`)
      .replace(/\{\{([^{}\n]+)\}\}/g, (_all, body: string) => putAside(code(body)))
      .replace(/(?<![\w*])\*(?!\s)([^*\n]+)(?<!\s)\*(?![\w*])/g, "**$1**")
      .replace(/\[~(?:accountid:)?([^\]\n]+)\]/g, (_all, name: string) => bold(name))
      .replace(/\[([^[\]|\n]+)\|(https?:[^[\]|\s]+)[^[\]\n]*\]/g, (_all, name: string, url: string) => link(name, url))
      .replace(/\[(https?:[^[\]|\s]+)\]/g, "$1")
      .replace(/\\([!*{}[\]])/g, "$1");
  });
  // Last, since a quote may hold code: each of its lines is quoted.
  return markdown.replace(QUOTE, (_all, body: string) => `\n${quoted(body)}\n`).trim();
}

/** A text: wiki markup, or a document of version 3 of Jira's API. */
export function bodyOf(payload: Payload, path: string): string | undefined {
  const document = payload.maybe(path);
  const text = document ? documentText(document, 0).trim() : wikiMarkup(cut(payload.maybeText(path) ?? "", MAX_MARKUP));
  return text === "" ? undefined : text;
}

/** Only the words, paragraphs and lists of it. */
function documentText(node: Payload, depth: number): string {
  const type = node.maybeText("type");
  const own = node.maybeText("text", "attrs.text", "attrs.url") ?? "";
  if (type === "hardBreak") return "\n";
  const parts = depth > MAX_DEPTH ? [] : node.maybeList("content").map((each) => documentText(each, depth + 1));
  const inner = own + parts.join("");
  if (type === "listItem") return `- ${inner.trim()}\n`;
  if (type === "codeBlock")
    return `${codeBlock(inner, node.maybeText("attrs.language")?.replace(/\W/g, "") ?? "")}\n\n`;
  return type === "paragraph" || type === "heading" || type?.endsWith("List") ? `${inner}\n\n` : inner;
}
