import type { State } from "../../api/state-shape.ts";
import { folded } from "../../parts/folded.ts";

export interface EmojiName {
  readonly code: string;
  /** The canonical name first. */
  readonly names: readonly string[];
  /** Of an emoji of the organization: the address of its picture. */
  readonly picture?: string;
}

export const reactionTypeOf = ({ picture }: EmojiName): "unicode_emoji" | "realm_emoji" =>
  picture === undefined ? "unicode_emoji" : "realm_emoji";

export interface EmojiReference {
  readonly emoji_code: string;
  readonly reaction_type: string;
}

type CustomEmoji = Readonly<Record<string, { name: string; source_url: string; deactivated: boolean } | undefined>>;

const NO_EMOJI: readonly EmojiName[] = [];
const custom = new WeakMap<object, readonly EmojiName[]>();

/** The emoji of the organization that can still be used; the same list while they do not change. */
export function customEmoji({ realm_emoji }: State): readonly EmojiName[] {
  if (!realm_emoji) return NO_EMOJI;
  const found =
    custom.get(realm_emoji) ??
    Object.entries(realm_emoji as CustomEmoji).flatMap(([code, one]) =>
      one && !one.deactivated ? [{ code, names: [one.name], picture: one.source_url }] : [],
    );
  custom.set(realm_emoji, found);
  return found;
}

/** The picture of an emoji that is no character; undefined for one that is. */
export function pictureOf(state: State, { emoji_code, reaction_type }: EmojiReference): string | undefined {
  if (reaction_type === "unicode_emoji") return undefined;
  return (state.realm_emoji as CustomEmoji | undefined)?.[emoji_code]?.source_url;
}

/** Those with a name that is what was typed, then those with one that begins with it, then that contains it. */
export function findEmoji(all: readonly EmojiName[], typed: string, max: number): EmojiName[] {
  const text = folded(typed.trim()).replaceAll(" ", "_");
  if (text === "") return all.slice(0, max);
  const having = (matches: (name: string) => boolean) => all.filter(({ names }) => names.some(matches));
  const exact = having((name) => name === text);
  const starting = having((name) => name.startsWith(text));
  const containing = starting.length < max ? having((name) => name.includes(text)) : [];
  return [...new Set([...exact, ...starting, ...containing])].slice(0, max);
}
