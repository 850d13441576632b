/*
 * Reads fields of JSON from a file that anyone could have written: a field can be missing, or have another type, and
 * names such as `__proto__` are ordinary.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

export const fieldOf = (value: unknown, name: string): unknown => {
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
};

/** The text, or the number as text. Empty texts are undefined. */
export const asText = (value: unknown): string | undefined => {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A time in ISO 8601 in milliseconds since the epoch. */
export function asTime(value: unknown): number | undefined {
  const at = typeof value === "string" && /^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) && at > 0 ? at : undefined;
}

/** Whether a text is a single Unicode emoji. */
export const isEmoji = (text: string): boolean =>
  text.length <= 40 && /^(?:\p{RGI_Emoji}|(?![0-9#*])\p{Emoji}\ufe0f?)$/v.test(text);
