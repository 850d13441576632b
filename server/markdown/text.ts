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
