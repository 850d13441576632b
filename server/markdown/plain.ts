const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\0": "\ufffd" };
/** Includes NUL: browsers drop it, which would join the characters around it. */
const ESCAPED = /[&<>"\0]/g;

/** Escapes text and values of attributes in double quotes. */
export const escapeHtml = (text: string): string => text.replace(ESCAPED, (character) => ESCAPES[character] as string);

const CHARACTERS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };

/** Reverses `escapeHtml`, and the additional escapes of other packages. */
export const unescapeHtml = (html: string): string =>
  html.includes("&")
    ? html.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => CHARACTERS[name] as string)
    : html;

/*
 * Most messages are sentences without markup, and parsing those takes up to a fifth of the time of a send. This fast
 * path recognizes them by what they do not contain, and writes the same HTML as the renderer, to which it leaves all
 * other messages. test/markdown/plain.test.ts compares the two.
 */

/** Longer texts are rare; shorter ones cannot reach the renderer's other limits. */
const MAX_LENGTH = 4000;

/** Emphasis that starts after whitespace and ends on its line. Groups: the stars and the text. */
const EMPHASIS = /(?<!\S)(\*{1,2})([\p{L}\p{N}](?:[^*\n]*[^*\s])?)\1/u;

/** Outside the expression, since a bundler cannot write them with ASCII in a raw string (main/vite.config.ts). */
const PUNCTUATION = "–—‘’“”„…«»¿¡€、。，！？「」";

/** Everything that could be, or start, markup. Each alternative examines a few characters: this takes linear time. */
const DOUBTFUL = new RegExp(
  [
    // All but letters, digits, spaces, line ends and punctuation without a meaning inside a line.
    String.raw`[^\p{L}\p{N} \n.,;:!?'"()/%=+&_#@>${PUNCTUATION}-]`,
    // Dots inside words make URLs.
    String.raw`\.(?![\s.,!?'")]|$|(?<=\d\.)\d)`,
    // At signs inside words make email addresses.
    String.raw`(?<=\S)@`,
    // Colons make URLs, emoji names and emoticons, except in times: before two digits and without a second colon.
    String.raw`:(?!\s|$|\d\d(?![\w:+-]))|\(:|;(?!\s|$)`,
    // Entities.
    "&(?! )",
    // Lists, quotes, headings and code start a line; spaces at its end are dropped.
    String.raw`^(?![\p{L}"'(\n]|\d+(?![\d.]))| $`,
  ].join("|"),
  "mu",
);

/** The HTML of a text that certainly has no markup except emphasis; undefined for any other text. */
export function plainHtml(text: string): string | undefined {
  if (text === "" || text.length > MAX_LENGTH || text !== text.trim()) return undefined;
  if (!text.includes("*")) return DOUBTFUL.test(text) ? undefined : paragraphs(escapeHtml(text));
  const pieces = text.split(EMPHASIS);
  let [words, html] = ["", ""];
  for (let index = 0; index < pieces.length; index += 3) {
    const [before, stars, emphasized] = pieces.slice(index, index + 3) as [string, string?, string?];
    words += before;
    html += escapeHtml(before);
    if (stars === undefined || emphasized === undefined) continue;
    const tag = stars === "**" ? "strong" : "em";
    words += emphasized;
    html += `<${tag}>${escapeHtml(emphasized)}</${tag}>`;
  }
  return DOUBTFUL.test(words) ? undefined : paragraphs(html);
}

const paragraphs = (html: string): string =>
  `<p>${html.replace(/\n+/g, (ends) => (ends === "\n" ? "<br>\n" : "</p>\n<p>"))}</p>`;
