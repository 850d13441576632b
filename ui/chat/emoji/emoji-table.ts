import type { EmojiGroupId, EmojiGroups } from "../../build/emoji-groups.ts";
import type { EmojiName } from "./emoji.ts";

export interface EmojiGroup {
  readonly id: EmojiGroupId;
  readonly emoji: readonly EmojiName[];
}

export interface EmojiTable {
  readonly groups: readonly EmojiGroup[];
  /** Those of all groups, in their order. */
  readonly all: readonly EmojiName[];
}

export const NO_TABLE: EmojiTable = { groups: [], all: [] };

/** The server's names in groups; the last one takes what is in none. */
export function tableOf(names: Readonly<Record<string, readonly string[]>>, order: EmojiGroups): EmojiTable {
  const left = new Map(Object.entries(names));
  const groups = Object.entries(order).map(([id, codes]) => {
    const emoji = codes.flatMap((code) => {
      const found = left.get(code);
      left.delete(code);
      return found ? [{ code, names: found }] : [];
    });
    return { id: id as EmojiGroupId, emoji };
  });
  groups.at(-1)?.emoji.push(...[...left].map(([code, rest]) => ({ code, names: rest })));
  return { groups, all: groups.flatMap(({ emoji }) => emoji) };
}

let loading: Promise<EmojiTable> | undefined;

/** All emoji that are characters, by the names that the server offers to its clients. Rejects where it does not answer. */
export function loadEmojiTable(url: string): Promise<EmojiTable> {
  loading ??= Promise.all([
    fetch(url).then((response) => response.json() as Promise<{ code_to_names: Record<string, string[]> }>),
    import("virtual:emoji-groups"),
  ]).then(([{ code_to_names }, { groups }]) => tableOf(code_to_names, groups));
  loading.catch(() => {
    loading = undefined; // the next one tries again
  });
  return loading;
}
