import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

let characters: ReadonlyMap<string, string> | undefined;

/** Rocket.Chat has the names of JoyPixels; its earlier versions had more names of GitHub. */
function table(): ReadonlyMap<string, string> {
  if (characters) return characters;
  const found = new Map<string, string>();
  for (const list of ["joypixels", "github"]) {
    // Read, not imported: the text of a module stays in memory forever.
    const names: unknown = JSON.parse(readFileSync(resolve(`emojibase-data/en/shortcodes/${list}.json`), "utf8"));
    for (const [hex, value] of Object.entries(names as Record<string, string | string[]>)) {
      const points = hex.split("-").map((point) => Number.parseInt(point, 16));
      for (const name of [value].flat()) if (!found.has(name)) found.set(name, String.fromCodePoint(...points));
    }
  }
  characters = found;
  return found;
}

/** The character of an emoji with this name, without colons. */
export const emojiCharacter = (name: string): string | undefined => table().get(name);
