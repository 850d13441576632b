/* Values of an export: files of other programs can have any value anywhere. */

export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const fieldsIn = (value: unknown): Fields[] =>
  asList(value).flatMap((item) => {
    const fields = asFields(item);
    return fields ? [fields] : [];
  });

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const UNCLEAN = /[\u0000-\u0008\u000b-\u001f\u007f\ud800-\udfff]/;

/** A text without control characters and lone surrogates. Numbers count as text; all other values are empty. */
export function asText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return UNCLEAN.test(value) ? value.replaceAll(/\r\n?/g, "\n").replace(CONTROLS, "").toWellFormed() : value;
}

/** The texts of a list, each once. */
export const textsIn = (value: unknown): string[] =>
  [...new Set(asList(value).map(asText))].filter((text) => text !== "");

/** The first text that is not blank. */
export const firstText = (...values: readonly unknown[]): string | undefined => {
  for (const value of values) {
    const text = asText(value).trim();
    if (text !== "") return text;
  }
  return undefined;
};

/** A count or size. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
