/** Texts of JSON that are shorter take no time worth mentioning, whatever they hold. In UTF-16 units. */
const SHORT = 1 << 16;
export const MAX_JSON_VALUES = 50_000;
export const MAX_JSON_DEPTH = 100;

export type JsonBounds = "fits" | "too many items" | "too many values";

/**
 * Whether JSON.parse may have a text. What it takes grows with the values and not with the bytes: two megabytes of
 * brackets hold up everybody for 300 ms, and looking for them here takes 5. Counting ends at the first bound; what is no
 * JSON may fit. `maxItems`: of the list that the text is, if it is one.
 */
export function jsonBounds(text: string, maxItems = MAX_JSON_VALUES): JsonBounds {
  if (text.length <= SHORT) return "fits";
  const isList = /^\s*\[/.test(text);
  let [values, items, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        if (isList && depth === 1 && ++items >= maxItems) return "too many items";
    }
    if (values > MAX_JSON_VALUES || depth > MAX_JSON_DEPTH) return "too many values";
  }
  return "fits";
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Where the closing quote of a string is. Most hold no quote themselves, and to look for one is quick. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (quote < 0) return text.length;
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
