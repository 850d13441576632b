import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

/** Sets of emoji names: Slack and Mattermost use `iamcal`, Rocket.Chat uses `joypixels`. */
export type EmojiNames = "iamcal" | "joypixels";

/** The lists of emojibase for a set. Later lists take precedence: the sources also have names of GitHub. */
const LISTS: Record<EmojiNames, readonly string[]> = {
  iamcal: ["github", "iamcal"],
  joypixels: ["github", "joypixels"],
};
/** Former names of Slack. */
const FORMER_NAMES: [name: string, character: string][] = [["simple_smile", "🙂"]];

const tables = new Map<EmojiNames, ReadonlyMap<string, string>>();

/** Built on first use. Files are read, not imported: the text of a module stays in memory forever. */
function tableOf(names: EmojiNames): ReadonlyMap<string, string> {
  const existing = tables.get(names);
  if (existing) return existing;
  const table = new Map(FORMER_NAMES);
  for (const list of LISTS[names]) {
    const text = readFileSync(resolve(`emojibase-data/en/shortcodes/${list}.json`), "utf8");
    for (const [hex, value] of Object.entries<string | string[]>(JSON.parse(text))) {
      const points = hex.split("-").map((point) => Number.parseInt(point, 16));
      const character = presented(String.fromCodePoint(...points));
      for (const name of [value].flat()) table.set(name, character);
    }
  }
  tables.set(names, table);
  return table;
}

const EMOJI = /^\p{RGI_Emoji}$/v;

/** Some characters are emoji only with a variation selector, which emojibase omits. */
const presented = (character: string): string =>
  !EMOJI.test(character) && EMOJI.test(`${character}\ufe0f`) ? `${character}\ufe0f` : character;

/** `wave::skin-tone-3`, or `handshake::skin-tone-2-5` for two people. */
const TONES_OF_SLACK = /^(.+?)::skin-tone-([2-6])(?:-([2-6]))?$/;
/** `wave_medium_light_skin_tone` of Mattermost, `wave_tone2` of JoyPixels. */
const TONE_AT_END = /^(.+?)(?:_(light|medium_light|medium|medium_dark|dark)_skin_tone|_tone([1-5]))$/;
const TONE_WORDS = ["light", "medium_light", "medium", "medium_dark", "dark"];

/** The numbers of the tones, from 0 to 4. */
function tonesIn(name: string): { base: string; tones: number[] } | undefined {
  const [, base, first, second] = TONES_OF_SLACK.exec(name) ?? [];
  if (base !== undefined) return { base, tones: [first, second ?? first].map((tone) => Number(tone) - 2) };
  const [, word, toneWord, digit] = TONE_AT_END.exec(name) ?? [];
  if (word === undefined) return undefined;
  const tone = digit === undefined ? TONE_WORDS.indexOf(toneWord as string) : Number(digit) - 1;
  return { base: word, tones: [tone, tone] };
}

/** The Unicode emoji of a name without colons. Skin tones stay if Unicode has them for this emoji. */
export function emojiCharacter(name: string, names: EmojiNames = "iamcal"): string | undefined {
  const table = tableOf(names);
  const whole = table.get(name);
  if (whole !== undefined) return whole;
  const toned = tonesIn(name);
  const base = toned && table.get(toned.base);
  return base && withTones(base, toned.tones);
}

/** The hands between two people have no tone of their own. */
const PERSON = /(?<!\u200d(?=\u{1f91d}))(\p{Emoji_Modifier_Base})\ufe0f?/gu;

function withTones(character: string, tones: readonly number[]): string {
  let people = 0;
  const toned = character.replace(PERSON, (whole, person: string) => {
    const tone = tones[people++];
    return tone === undefined ? whole : person + String.fromCodePoint(0x1f3fb + tone);
  });
  return people > 0 && EMOJI.test(toned) ? toned : character;
}

/** Whether a text is a single Unicode emoji. */
export const isEmoji = (text: string): boolean =>
  text.length <= 40 && /^(?:\p{RGI_Emoji}|(?![0-9#*])\p{Emoji}\ufe0f?)$/v.test(text);
