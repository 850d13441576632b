/** In UTF-16 units. */
const PIECE = 1 << 17;
/** Lists are written item by item if they are longer than this, or near the top of a response. */
const MANY = 50;

/** Whether a value has so few values in it that writing it is quick, except for long texts. */
export const isSmall = (value: object): boolean => countValues(value, MANY) <= MANY;

/** The number of nested values. Counting stops above the limit. */
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
 * The result of JSON.stringify in pieces of about 130,000 UTF-16 units, so that other work can run between them. A long
 * item of a list is one piece. The value must not change until the last piece.
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
    // As in JSON.stringify, undefined is null in a list and missing in an object.
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
