/* Reads values of records that a stranger can have written: each function returns what has the expected type. */

export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = Object.freeze(Object.create(null));

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NO_FIELDS);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Text that JSON and databases accept: without NUL and lone surrogates. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

export const textOf = (value: unknown): string => (typeof value === "string" ? storable(value) : "");

/** The first text that is not blank. */
export const firstText = (...values: readonly unknown[]): string | undefined =>
  values.map((value) => textOf(value).trim()).find((text) => text !== "");

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Milliseconds since the epoch, within the range of dates. */
export function timeOf(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : numberOf(value);
  return time !== undefined && Math.abs(time) <= 8.64e15 ? Math.round(time) : undefined;
}

export const unique = <T>(values: Iterable<T>): T[] => [...new Set(values)];

/** Adds a value to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
