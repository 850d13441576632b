import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// Runs while the pages are built (../vite.config.ts).

const { resolve } = createRequire(import.meta.url);

/** The groups of Unicode in its order, by their numbers in emojibase. Its group 2 holds skin tones and parts of flags. */
const GROUPS = {
  smileys: 0,
  people: 1,
  nature: 3,
  food: 4,
  activities: 6,
  travel: 5,
  objects: 7,
  symbols: 8,
  flags: 9,
} as const;

export type EmojiGroupId = keyof typeof GROUPS;
/** A group's codes as the server has them (server/markdown/emoji.ts), in the order of Unicode. */
export type EmojiGroups = Readonly<Record<EmojiGroupId, readonly string[]>>;

interface Row {
  readonly hexcode: string;
  readonly group?: number;
  readonly order?: number;
}

/** Which emoji belong together, and in which order people look for them. */
export function emojiGroups(): EmojiGroups {
  const rows = JSON.parse(readFileSync(resolve("emojibase-data/en/compact.json"), "utf8")) as Row[];
  const codesOf = (number: number) =>
    rows
      .filter(({ group }) => group === number)
      .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
      .map(({ hexcode }) => hexcode.toLowerCase().replaceAll("-fe0f", ""));
  return Object.fromEntries(
    Object.entries(GROUPS).map(([id, number]) => [id, codesOf(number)]),
  ) as unknown as EmojiGroups;
}
