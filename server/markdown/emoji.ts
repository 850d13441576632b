import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { FORMER_NAMES, PROTOCOL_NAMES } from "./emoji-names.ts";

const { resolve } = createRequire(import.meta.url);

export interface Emoji {
  name: string;
  /** Code points in lower-case hex with dashes between, without the variation selector fe0f: `1f44d`, `2764`. */
  code: string;
}

interface Table {
  readonly codes: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Codes by FORMER_NAMES. */
  readonly former: ReadonlyMap<string, string>;
}

/** The names of emojibase by code. Read, not imported: the text of a module stays in memory forever. */
const shortcodes = (list: string): Record<string, string | string[]> =>
  JSON.parse(readFileSync(resolve(`emojibase-data/en/shortcodes/${list}.json`), "utf8"));

const codeOfHex = (hex: string): string => hex.toLowerCase().replaceAll("-fe0f", "");
// The protocol has no skin tones, neither as separate emoji nor in sequences.
const SKIN_TONE = /1f3f[b-f]/;
/** The protocol has names with accents too: `yuèbǐng`. */
const NAME = /^[\p{Ll}0-9_+-]+$/u;

let table: Table | undefined;

/** Built on first use, to save the memory of idle servers. */
function emojiTable(): Table {
  if (table) return table;
  const codes = new Map<string, string>();
  const names = new Map<string, string[]>();
  const add = (code: string, name: string) => {
    if (codes.has(name) || !NAME.test(name) || SKIN_TONE.test(code)) return;
    codes.set(name, code);
    const existing = names.get(code);
    if (existing) existing.push(name);
    else names.set(code, [name]);
  };
  // The protocol's names take precedence, since some of them belong to other emoji in emojibase (`cat`, `smile`). The
  // other names of emojibase are aliases, or name emoji that the protocol does not name.
  const cldr = new Map(Object.entries(shortcodes("cldr")).map(([hex, name]) => [codeOfHex(hex), [name].flat()]));
  for (const [code, rowNames] of new Map([...cldr, ...rowsIn(PROTOCOL_NAMES)])) {
    for (const name of rowNames.flatMap((one) => (one === "+" ? (cldr.get(code) ?? []) : one))) add(code, name);
  }
  const lists = ["iamcal", "github"].map(shortcodes);
  // The protocol prefers names without dashes (`woman_shrugging` to `woman-shrugging`).
  for (const dashed of [false, true]) {
    for (const list of lists) {
      for (const [hex, value] of Object.entries(list)) {
        for (const name of typeof value === "string" ? [value] : value) {
          if (/.-/.test(name) === dashed) add(codeOfHex(hex), name);
        }
      }
    }
  }
  const former = new Map<string, string>();
  for (const [code, rowNames] of rowsIn(FORMER_NAMES)) {
    for (const name of rowNames) {
      former.set(name, code);
      add(code, name);
    }
  }
  table = { codes, names, former };
  return table;
}

const rowsIn = (rows: string): [code: string, names: string[]][] =>
  rows
    .trim()
    .split(/[|\n]+/)
    .map((row) => {
      const [code, ...names] = row.split(" ");
      return [code as string, names];
    });

/** Emoji that are neither Unicode characters nor custom. Public clients know `hearth` as `zulip`. */
export const EXTRA_EMOJI: ReadonlySet<string> = new Set(["hearth", "zulip"]);

/** The emoji with this name. The result of an alias has the alias as its name. */
export function emojiByName(name: string): Emoji | undefined {
  const code = emojiTable().codes.get(name);
  return code === undefined ? undefined : { name, code };
}

/** Whether the emoji has this name, or had it in an earlier version: reactions and statuses are stored with their name. */
export const isNameOf = (name: string, code: string): boolean =>
  emojiTable().codes.get(name) === code || emojiTable().former.get(name) === code;

/** All names of a code; clients show the first one. */
export const namesOfCode = (code: string): readonly string[] => emojiTable().names.get(code) ?? [];

/** The `code_to_names` of `server_emoji_data_url`. */
export const codeToNames = (): Record<string, readonly string[]> => Object.fromEntries(emojiTable().names);

/** Emoji as characters: keycaps, flags, and pictographs with modifiers. */
export const EMOJI_CHARACTERS =
  /[0-9#*]\ufe0f?\u20e3|\p{RI}\p{RI}|\p{ExtPict}(?:\ufe0f|\p{EMod})?(?:\u200d\p{ExtPict}(?:\ufe0f|\p{EMod})?)*[\u{e0020}-\u{e007f}]*/gu;

/** The emoji for characters that EMOJI_CHARACTERS has found; undefined for those that stay text, such as ©, ™ and ↔. */
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

/** The emoji for emoticons, if the sender's setting translates them. */
const EMOTICONS: Record<string, string> = {
  ":)": "smile",
  "(:": "smile",
  ":(": "frown",
  "<3": "heart",
  ":|": "neutral",
  ":/": "confused",
  ";)": "wink",
  ":D": "grinning",
  ":o": "open_mouth",
  ":O": "open_mouth",
  ":p": "stuck_out_tongue",
  ":P": "stuck_out_tongue",
};

/** An emoticon between whitespace and punctuation, never inside a word or a URL. */
export const EMOTICON = /(?<![^\s,.;?!'"])(?::[)(|/DoOpP]|\(:|;\)|<3)(?![^\s,.;?!'"])/g;

export const emojiOfEmoticon = (emoticon: string): Emoji | undefined => emojiByName(EMOTICONS[emoticon] ?? "");
