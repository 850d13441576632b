import type { ImportedReaction, LeftOut } from "../../model.ts";
import { asCount, asText, type Fields } from "../../values.ts";

/** Undefined for unknown emoji. `customNames`: names of custom emoji, by the emoji's ID. */
export function emojiOf(
  type: string,
  code: string,
  customNames: ReadonlyMap<string, string>,
): ImportedReaction["emoji"] | undefined {
  if (type === "unicode_emoji") {
    const points = code.split("-").map((point) => (/^[0-9a-f]{1,6}$/i.test(point) ? Number.parseInt(point, 16) : -1));
    const isText = points.every((point) => point >= 0 && point <= 0x10ffff);
    const character = isText ? String.fromCodePoint(...points) : "";
    return isText && character.isWellFormed() ? { character } : undefined;
  }
  const isExtra = type === "zulip_extra_emoji" || type === "service_extra_emoji";
  const name = isExtra ? code : customNames.get(code);
  return name === undefined ? undefined : { name };
}

/**
 * The reactions of all messages. The archive lists them separately from the messages and in another order, so
 * they are kept in memory. Arrays of numbers are compact: there can be millions of reactions.
 */
export class ReactionList {
  /** Names of custom emoji, by the emoji's ID. */
  readonly #customNames: ReadonlyMap<string, string>;
  readonly #messages: number[] = [];
  readonly #people: number[] = [];
  /** Indexes of `#keys`. */
  readonly #emoji: number[] = [];
  readonly #keys: { type: string; code: string }[] = [];
  readonly #keyIndexes = new Map<string, number>();
  /** Indexes of the reactions, by message. */
  #order: Uint32Array | undefined;

  constructor(customNames: ReadonlyMap<string, string>) {
    this.#customNames = customNames;
  }

  /** Whether the row is a reaction. */
  add({ message, user_profile, reaction_type, emoji_code }: Fields): boolean {
    const [of, person] = [asCount(message), asCount(user_profile)];
    if (of === undefined || person === undefined) return false;
    this.#order = undefined;
    this.#messages.push(of);
    this.#people.push(person);
    this.#emoji.push(this.#keyIndex(asText(reaction_type), asText(emoji_code)));
    return true;
  }

  #keyIndex(type: string, code: string): number {
    const key = `${type} ${code}`;
    const existing = this.#keyIndexes.get(key);
    if (existing !== undefined) return existing;
    this.#keyIndexes.set(key, this.#keys.length);
    return this.#keys.push({ type, code }) - 1;
  }

  of(message: number, leftOut: LeftOut, idOf: (person: number) => string): ImportedReaction[] {
    const order = this.#sorted();
    const people = new Map<number, string[]>();
    for (let at = this.#firstOf(message, order); at < order.length; at++) {
      const index = order[at] as number;
      if (this.#messages[index] !== message) break;
      const key = this.#emoji[index] as number;
      const list = people.get(key) ?? [];
      const id = idOf(this.#people[index] as number);
      if (!list.includes(id)) list.push(id);
      people.set(key, list);
    }
    return [...people].flatMap(([key, personIds]) => {
      const { type, code } = this.#keys[key] as { type: string; code: string };
      const emoji = emojiOf(type, code, this.#customNames);
      if (!emoji) leftOut.add("reactions of unknown emoji");
      return emoji ? [{ emoji, personIds }] : [];
    });
  }

  #sorted(): Uint32Array {
    this.#order ??= Uint32Array.from(this.#messages.keys()).sort(
      (a, b) => (this.#messages[a] as number) - (this.#messages[b] as number) || a - b,
    );
    return this.#order;
  }

  #firstOf(message: number, order: Uint32Array): number {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#messages[order[middle] as number] as number) < message) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
