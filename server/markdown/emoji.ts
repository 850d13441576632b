import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PROTOCOL_NAMES } from "./emoji-names.ts";

const { resolve } = createRequire(import.meta.url);

export interface Emoji {
  name: string;
  /** Code points in lower-case hex with dashes between, without the variation selector fe0f: `1f44d`, `2764`. */
  code: string;
}

interface Table {
  readonly codes: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** emojibase's names by code. Read rather than imported: a module's text would stay in memory for good. */
const shortcodes = (list: string): Record<string, string | string[]> =>
  JSON.parse(readFileSync(resolve(`emojibase-data/en/shortcodes/${list}.json`), "utf8"));

const codeOfHex = (hex: string): string => hex.toLowerCase().replaceAll("-fe0f", "");
// The protocol has no skin tones: neither as emoji of their own nor in sequences.
const SKIN_TONE = /1f3f[b-f]/;
const NAME = /^[a-z0-9_+-]+$/;

// Their usual names mean another emoji in the protocol.
const OTHERWISE_NAMELESS = "1f997 cricket_insect|1f9d1-200d-1f52c person_scientist|1f9fe bill|1fab2 green_beetle";

let table: Table | undefined;

/** Built when something is first rendered or asked for: an idle server does without. */
function emojiTable(): Table {
  if (table) return table;
  const codes = new Map<string, string>();
  const names = new Map<string, string[]>();
  const add = (code: string, name: string) => {
    if (codes.has(name) || !NAME.test(name) || SKIN_TONE.test(code)) return;
    codes.set(name, code);
    const known = names.get(code);
    if (known) known.push(name);
    else names.set(code, [name]);
  };
  const addRows = (rows: string) => {
    for (const row of rows.trim().split(/[|\n]+/)) {
      const [code, ...rowNames] = row.split(" ");
      for (const name of rowNames) add(code as string, name);
    }
  };
  // The protocol's names come first: some mean another emoji elsewhere (`cat`, `smile`).
  addRows(PROTOCOL_NAMES);
  const lists = ["iamcal", "github"].map(shortcodes);
  // Of names with and without dashes (`woman-shrugging`, `woman_shrugging`) the protocol shows those without.
  for (const dashed of [false, true]) {
    for (const list of lists) {
      for (const [hex, given] of Object.entries(list)) {
        for (const name of typeof given === "string" ? [given] : given) {
          if (/.-/.test(name) === dashed) add(codeOfHex(hex), name);
        }
      }
    }
  }
  addRows(OTHERWISE_NAMELESS);
  table = { codes, names };
  return table;
}

/** The emoji that a name means; aliases keep the name that was given. */
export function emojiByName(name: string): Emoji | undefined {
  const code = emojiTable().codes.get(name);
  return code === undefined ? undefined : { name, code };
}

/** All names of a code, the one to show first. */
export const namesOfCode = (code: string): readonly string[] => emojiTable().names.get(code) ?? [];

/** What `server_emoji_data_url` serves as `code_to_names`. */
export const codeToNames = (): Record<string, readonly string[]> => Object.fromEntries(emojiTable().names);

/** Emoji written as characters: keycaps, flags, and pictographs with what may follow them. */
export const EMOJI_CHARACTERS =
  /[0-9#*]\ufe0f?\u20e3|\p{RI}\p{RI}|\p{ExtPict}(?:\ufe0f|\p{EMod})?(?:\u200d\p{ExtPict}(?:\ufe0f|\p{EMod})?)*[\u{e0020}-\u{e007f}]*/gu;

/** The emoji that characters found by EMOJI_CHARACTERS are; undefined where they stay text, as ©, ™ and ↔ do. */
export function emojiOfCharacters(characters: string): Emoji | undefined {
  const points = [...characters].map((character) => character.codePointAt(0) as number);
  if (points.length === 1 && (points[0] as number) < 0x2300) return undefined;
  const code = points
    .filter((point) => point !== 0xfe0f)
    .map((point) => point.toString(16).padStart(4, "0"))
    .join("-");
  const name = namesOfCode(code)[0];
  return name === undefined ? undefined : { name, code };
}

/** What emoticons stand for, when the sender's setting says so. */
const EMOTICONS: Record<string, string> = {
  ":)": "smile",
  "(:": "smile",
  ":(": "frown",
  "<3": "heart",
  ":|": "expressionless",
  ":/": "confused",
  ";)": "wink",
  ":D": "grinning",
  ":o": "open_mouth",
  ":O": "open_mouth",
  ":p": "stuck_out_tongue",
  ":P": "stuck_out_tongue",
};

/** An emoticon between blanks and punctuation, never inside a word or an address. */
export const EMOTICON = /(?<![^\s,.;?!'"])(?::[)(|/DoOpP]|\(:|;\)|<3)(?![^\s,.;?!'"])/g;

export const emojiOfEmoticon = (emoticon: string): Emoji | undefined => emojiByName(EMOTICONS[emoticon] ?? "");
