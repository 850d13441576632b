const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\0": "\ufffd" };
/** Browsers drop NUL, so that what stood around it would meet. */
const ESCAPED = /[&<>"\0]/g;

/** For text and for attributes in double quotes. */
export const escapeHtml = (text: string): string => text.replace(ESCAPED, (character) => ESCAPES[character] as string);

const CHARACTERS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };

/** Takes back `escapeHtml`, and what other packages escape beside. */
export const unescapeHtml = (html: string): string =>
  html.includes("&")
    ? html.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => CHARACTERS[name] as string)
    : html;
