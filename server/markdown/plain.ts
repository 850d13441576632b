import { escapeHtml } from "./text.ts";

/*
 * Most of what people write is sentences without markup, and reading those word by word costs as much as a fifth of a
 * send. Here they are known by what they do not hold, and come out as the renderer proper would have made them:
 * test/markdown/plain.test.ts compares the two. Whatever is in doubt is left to it.
 */

/** Longer texts are seldom; these cannot come near the renderer's other bounds. */
const MAX_LENGTH = 4000;

/** Emphasis that begins behind a blank and ends in its line: two groups, the stars and what is within. */
const EMPHASIS = /(?<!\S)(\*{1,2})([\p{L}\p{N}](?:[^*\n]*[^*\s])?)\1/u;

/** What could be, or begin, anything but words. Each alternative looks at a few characters: this takes linear time. */
const DOUBTFUL = new RegExp(
  [
    // All but letters, digits, blanks, line ends and punctuation that means nothing within a line.
    String.raw`[^\p{L}\p{N} \n.,;:!?'"()/%=+&_#@>–—‘’“”„…«»¿¡€、。，！？「」-]`,
    // Dots within words make addresses.
    String.raw`\.(?![\s.,!?'")]|$|(?<=\d\.)\d)`,
    // So do colons, and emoji by name and as emoticons; those of times stand before two digits and no second colon.
    String.raw`:(?!\s|$|\d\d(?![\w:+-]))|\(:|;(?!\s|$)`,
    // Entities.
    "&(?! )",
    // Lists, quotes, headings and code begin a line; blanks at its end are dropped.
    String.raw`^(?![\p{L}"'(\n]|\d+(?![\d.]))| $`,
  ].join("|"),
  "mu",
);

/** The HTML of a text that is plain beyond doubt, with or without emphasised words; undefined where it may not be. */
export function plainHtml(text: string): string | undefined {
  if (text === "" || text.length > MAX_LENGTH || text !== text.trim()) return undefined;
  if (!text.includes("*")) return DOUBTFUL.test(text) ? undefined : paragraphs(escapeHtml(text));
  const pieces = text.split(EMPHASIS);
  let [words, html] = ["", ""];
  for (let index = 0; index < pieces.length; index += 3) {
    const [before, stars, within] = pieces.slice(index, index + 3) as [string, string?, string?];
    words += before;
    html += escapeHtml(before);
    if (stars === undefined || within === undefined) continue;
    const tag = stars === "**" ? "strong" : "em";
    words += within;
    html += `<${tag}>${escapeHtml(within)}</${tag}>`;
  }
  return DOUBTFUL.test(words) ? undefined : paragraphs(html);
}

const paragraphs = (html: string): string =>
  `<p>${html.replace(/\n+/g, (ends) => (ends === "\n" ? "<br>\n" : "</p>\n<p>"))}</p>`;
