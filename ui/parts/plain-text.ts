import { showEmoji } from "./emoji-characters.ts";
import { timeOrDay } from "./format.ts";

const MAX_LENGTH = 200;
/** Closed spoilers, pictures (their links stay) and the second rendering of formulas. */
const LEFT_OUT = ".spoiler-content, .message_inline_image, .katex-html";

/**
 * Rendered Markdown as a line of text for lists. Quotes are omitted if there is other text.
 */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const hidden of body.querySelectorAll(LEFT_OUT)) hidden.remove();
  showEmoji(body);
  for (const emoji of body.querySelectorAll("img.emoji")) emoji.replaceWith(emoji.getAttribute("alt") ?? "");
  for (const formula of body.querySelectorAll(".katex")) {
    const written = formula.querySelector("annotation")?.textContent;
    if (written) formula.textContent = written;
  }
  for (const time of body.querySelectorAll("time")) {
    const at = Date.parse(time.dateTime);
    if (!Number.isNaN(at)) time.textContent = timeOrDay(at, Date.now());
  }
  const whole = textOf(body);
  for (const quote of body.querySelectorAll("blockquote")) quote.remove();
  return (textOf(body) || whole).slice(0, MAX_LENGTH);
}

function textOf(body: HTMLElement): string {
  const parts: string[] = [];
  const walk = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.nodeValue ?? "");
    for (const child of node.childNodes) walk(child);
    if (node instanceof HTMLElement && BLOCKS.has(node.tagName)) parts.push(" ");
  };
  walk(body);
  return parts
    .join("")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^\/me /, "");
}

const BLOCKS = new Set(["P", "DIV", "LI", "PRE", "TD", "TH", "BR", "BLOCKQUOTE", "H1", "H2", "H3", "H4", "H5", "H6"]);
