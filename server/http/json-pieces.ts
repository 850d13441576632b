/** In UTF-16 units. */
const PIECE = 1 << 17;
/** Below the fields of an answer and their items, longer lists than this are written item by item too. */
const MANY = 50;

/** Whether a value holds so few others that writing it takes no time worth mentioning, but for long texts. */
export const isSmall = (value: object): boolean => countValues(value, MANY) <= MANY;

/** How many values there are in it; counting ends above the limit. */
function countValues(value: unknown, limit: number): number {
  let count = 1;
  if (!isNested(value)) return count;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    count += countValues(inner, limit - count);
    if (count > limit) break;
  }
  return count;
}

/**
 * The text that JSON.stringify gives, in pieces, so that the work can be interrupted between them. A piece is about
 * 130,000 UTF-16 units; a single item of a list may be longer. The value must not change meanwhile.
 */
export function* jsonPieces(value: object): Generator<string, void> {
  let piece = "";
  for (const text of written(value, 0)) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function* written(value: object, depth: number): Generator<string, void> {
  const isList = Array.isArray(value);
  const items: readonly unknown[] = isList ? value : Object.entries(value);
  if (hasOwnForm(value) || (depth > 1 && items.length <= MANY)) {
    yield JSON.stringify(value);
    return;
  }
  let before = isList ? "[" : "{";
  for (const item of items) {
    const [name, inner] = isList ? [undefined, item] : (item as [string, unknown]);
    const text = isNested(inner) ? "" : JSON.stringify(inner);
    // In a list, what JSON does not know is null; in an object, it is left out.
    if (text === undefined && !isList) continue;
    yield name === undefined ? before : `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (isNested(inner)) yield* written(inner, depth + 1);
    else yield text ?? "null";
  }
  if (before !== ",") yield before;
  yield isList ? "]" : "}";
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
const hasOwnForm = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === "function";
