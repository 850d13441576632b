import { clean } from "./texts.ts";

/*
 * Reads values of records from files that anyone can have written. A field can be missing or have another type. Results
 * of `as…` are undefined for values of other types, or empty.
 */

export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = Object.freeze(Object.create(null));

export const asFields = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const fieldsOf = (value: unknown): Fields => asFields(value) ?? NO_FIELDS;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects in a list. */
export const fieldsIn = (value: unknown): Fields[] =>
  asList(value)
    .map(asFields)
    .filter((fields) => fields !== undefined);

/** A text without control characters and lone surrogates. A number becomes text. */
export function asText(value: unknown): string {
  if (typeof value === "string") return clean(value);
  return typeof value === "number" ? String(value) : "";
}

/** The texts of a list, each once. */
export const textsIn = (value: unknown): string[] => unique(asList(value).map(asText)).filter((text) => text !== "");

/** The first text that is not blank, without spaces around it. */
export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const text = asText(value).trim();
    if (text !== "") return text;
  }
  return undefined;
}

/** A count, a size, or an ID. */
export const asCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;

/** The first millisecond after the year 9999. */
const END_OF_TIME = 253_402_300_800_000;

/** Milliseconds since the epoch of a date, a number of milliseconds, or a text of either. Ends with the year 9999. */
export function asTime(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : typeof value === "number" ? value : parsedTime(asText(value));
  return time > 0 && time < END_OF_TIME ? Math.floor(time) : undefined;
}

const parsedTime = (text: string): number =>
  /^\d{4}-/.test(text) ? Date.parse(text) : text.trim() === "" ? Number.NaN : Number(text);

/** Milliseconds of a time in seconds, as a number or text. The half microsecond makes up for rounding. */
export function secondsToTime(seconds: unknown): number | undefined {
  const text = firstText(seconds);
  return text === undefined ? undefined : asTime(Number(text) * 1000 + 0.0005);
}

/** The value of JSON. Undefined if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const unique = <T>(values: Iterable<T>): T[] => [...new Set(values)];

/** Adds a value to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
