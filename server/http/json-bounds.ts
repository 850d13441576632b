/** JSON texts up to this length parse quickly, whatever they contain. In UTF-16 units. */
const SHORT = 1 << 16;
export const MAX_JSON_VALUES = 50_000;
export const MAX_JSON_DEPTH = 100;

export type JsonBounds = "fits" | "too many items" | "too many values";

/**
 * Whether a text is small enough for JSON.parse, whose time depends on the number of values: two megabytes of brackets
 * block the event loop for 300 ms, and this check takes 5 ms. A text that is not JSON can fit. `maxItems` applies if the
 * text is a list.
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

/** The position of a string's closing quote. */
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
