import type { ComboboxParsedItem, OptionsFilter } from "@mantine/core";

const ASCII = /^[ -~]*$/;

/** Replacements for letters that Unicode does not decompose. */
const TYPED_AS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ı: "i",
  "’": "'",
};
const HAS_OTHERS = new RegExp(`[${Object.keys(TYPED_AS).join("")}]`, "g");

/** Removes accents, letter case, invisible characters, and forms such as full-width letters, as message search does. */
export const folded = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replace(/[\p{M}\p{DI}]/gu, "")
        .toLowerCase()
        .replace(HAS_OTHERS, (letter) => TYPED_AS[letter] as string);

/** Whether the server takes both names for the same topic. */
export const isSameTopic = (one: string, other: string): boolean =>
  one.normalize("NFC").toLowerCase() === other.normalize("NFC").toLowerCase();

/** Returns a test whether a text contains every word of the query, ignoring accents and letter case. */
export function wordMatcher(typed: string): (text: string) => boolean {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  return (text) => {
    const whole = folded(text);
    return words.every((word) => whole.includes(word));
  };
}

/** A filter for Mantine's lists: the options that contain every word. */
export const filterOptions: OptionsFilter = ({ options, search, limit }) => {
  const matches = wordMatcher(search);
  let left = limit;
  const fitting = <T extends { label: string }>(items: readonly T[]): T[] => {
    const found = items.filter(({ label }) => matches(label)).slice(0, left);
    left -= found.length;
    return found;
  };
  return options.flatMap((option): ComboboxParsedItem[] =>
    "group" in option ? [{ ...option, items: fitting(option.items) }] : fitting([option]),
  );
};
