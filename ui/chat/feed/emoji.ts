import type { State } from "../../api/state-shape.ts";

export interface EmojiName {
  readonly code: string;
  /** The canonical name first. */
  readonly names: readonly string[];
  /** Of an emoji of the organization: the address of its picture. */
  readonly picture?: string;
}

export const reactionTypeOf = ({ picture }: EmojiName): "unicode_emoji" | "realm_emoji" =>
  picture === undefined ? "unicode_emoji" : "realm_emoji";

/** `1f1e6-1f1e9` as the characters that it stands for. */
export const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split("-").map((part) => Number.parseInt(part, 16)));

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

let loading: Promise<readonly EmojiName[]> | undefined;

/** All emoji that are characters, with their names: the table that the server offers to its clients. */
export function loadEmojiNames(url: string): Promise<readonly EmojiName[]> {
  loading ??= fetch(url)
    .then((response) => response.json() as Promise<{ code_to_names: Record<string, string[]> }>)
    .then(({ code_to_names }) => Object.entries(code_to_names).map(([code, names]) => ({ code, names })));
  loading.catch(() => {
    loading = undefined; // the next one tries again
  });
  return loading;
}

/** Those with a name that begins with, or else contains, what was typed. */
export function findEmoji(all: readonly EmojiName[], typed: string, max: number): EmojiName[] {
  const text = typed.toLowerCase().replaceAll(" ", "_");
  if (text === "") return all.slice(0, max);
  const starting = all.filter(({ names }) => names.some((name) => name.startsWith(text)));
  if (starting.length >= max) return starting.slice(0, max);
  const containing = all.filter(({ names }) => names.some((name) => name.includes(text)));
  return [...new Set([...starting, ...containing])].slice(0, max);
}
