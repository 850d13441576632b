import type { ComboboxParsedItem, OptionsFilter } from "@mantine/core";

const ASCII = /^[ -~]*$/;

/** What people type for letters that have no accent to leave out. */
const TYPED_AS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  "’": "'",
};
const HAS_OTHERS = new RegExp(`[${Object.keys(TYPED_AS).join("")}]`, "g");

/** Without accents and letter case: as people type names. */
export const folded = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replace(HAS_OTHERS, (letter) => TYPED_AS[letter] as string);

/** What tells whether a text holds every word of what was typed, whatever the accents and letter case. */
export function holdsWords(typed: string): (text: string) => boolean {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  return (text) => {
    const whole = folded(text);
    return words.every((word) => whole.includes(word));
  };
}

/** The options of a list that hold the words, in their groups. */
export const optionsHolding: OptionsFilter = ({ options, search, limit }) => {
  const isMeant = holdsWords(search);
  let left = limit;
  const fitting = <T extends { label: string }>(items: readonly T[]): T[] => {
    const found = items.filter(({ label }) => isMeant(label)).slice(0, left);
    left -= found.length;
    return found;
  };
  return options.flatMap((option): ComboboxParsedItem[] =>
    "group" in option ? [{ ...option, items: fitting(option.items) }] : fitting([option]),
  );
};
