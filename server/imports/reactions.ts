import { emojiCharacter } from "./emoji-names.ts";
import type { ImportedReaction } from "./model.ts";

type Emoji = ImportedReaction["emoji"];

/** The emoji of a name: a Unicode emoji, or a custom emoji, which has no skin tones. */
export function emojiNamed(name: string): Emoji | undefined {
  const character = emojiCharacter(name);
  if (character !== undefined) return { character };
  const custom = name.split("::")[0];
  return custom ? { name: custom } : undefined;
}

/** The reactions of a message, with each emoji and each person once. Two names can belong to the same emoji. */
export function groupedReactions(given: Iterable<{ emoji: Emoji; personId: string }>): ImportedReaction[] {
  const groups = new Map<string, { emoji: Emoji; people: Set<string> }>();
  for (const { emoji, personId } of given) {
    const key = JSON.stringify(emoji);
    const group = groups.get(key) ?? { emoji, people: new Set() };
    groups.set(key, group);
    group.people.add(personId);
  }
  return [...groups.values()].map(({ emoji, people }) => ({ emoji, personIds: [...people] }));
}
