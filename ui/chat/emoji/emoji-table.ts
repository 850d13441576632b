import type { EmojiGroupId, EmojiGroups } from "../../build/emoji-groups.ts";
import type { EmojiName } from "./emoji.ts";

export interface EmojiGroup {
  readonly id: EmojiGroupId;
  readonly emoji: readonly EmojiName[];
}

export interface EmojiTable {
  readonly groups: readonly EmojiGroup[];
  readonly all: readonly EmojiName[];
}

export const NO_TABLE: EmojiTable = { groups: [], all: [] };

/** Groups the server's emoji; the last group takes emoji that are in no group. */
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

export async function loadEmojiTable(url: string): Promise<EmojiTable> {
  const [{ code_to_names }, { groups }] = await Promise.all([
    fetch(url).then((response) => response.json() as Promise<{ code_to_names: Record<string, string[]> }>),
    import("virtual:emoji-groups"),
  ]);
  return tableOf(code_to_names, groups);
}
