import type { State } from "../../api/state-shape.ts";

export interface EmojiName {
  readonly code: string;
  /** The canonical name first. */
  readonly names: readonly string[];
}

/** `1f1e6-1f1e9` as the characters that it stands for. */
export const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split("-").map((part) => Number.parseInt(part, 16)));

export interface EmojiReference {
  readonly emoji_code: string;
  readonly reaction_type: string;
}

type CustomEmoji = Readonly<Record<string, { source_url: string } | undefined>>;

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
