import { type EmojiName, reactionTypeOf } from "./emoji.ts";

// The most used emoji of this browser, which the picker shows first.

const KEY = "hearth-emoji-used";
/** The factor for all scores at each use, so that recent uses count more. */
const DECAY = 0.95;
const MAX_REMEMBERED = 64;
/** Shown before the user has favourites: thumbs up, heart, joy, tada, smile, eyes, folded hands, check mark. */
const POPULAR = ["1f44d", "2764", "1f602", "1f389", "1f642", "1f440", "1f64f", "2705"];

export type Uses = Readonly<Record<string, number>>;

const keyOf = (emoji: EmojiName) => `${reactionTypeOf(emoji)} ${emoji.code}`;

export function withUse(uses: Uses, emoji: EmojiName): Uses {
  const faded = Object.entries({ ...uses, [keyOf(emoji)]: (uses[keyOf(emoji)] ?? 0) + 1 / DECAY });
  const sorted = faded.map(([key, score]) => [key, score * DECAY] as const).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(sorted.slice(0, MAX_REMEMBERED));
}

/** The most used emoji, then popular ones. */
export function oftenUsed(uses: Uses, all: readonly EmojiName[], count: number): EmojiName[] {
  const known = new Map(all.map((emoji) => [keyOf(emoji), emoji]));
  const used = Object.keys(uses).sort((a, b) => (uses[b] ?? 0) - (uses[a] ?? 0));
  const keys = new Set([...used, ...POPULAR.map((code) => `unicode_emoji ${code}`)]);
  return [...keys].flatMap((key) => known.get(key) ?? []).slice(0, count);
}

export function readUses(): Uses {
  try {
    const uses: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof uses !== "object" || uses === null) return {};
    return Object.fromEntries(Object.entries(uses).filter(([, score]) => typeof score === "number"));
  } catch {
    return {}; // storage is forbidden, or has an invalid value
  }
}

export function noteUse(emoji: EmojiName): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(withUse(readUses(), emoji)));
  } catch {} // storage is forbidden
}
