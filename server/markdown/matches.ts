import { EMOJI_CHARACTERS, emojiByName, emojiOfCharacters } from "./emoji.ts";
import { escapeHtml, unescapeHtml } from "./plain.ts";

/*
 * Splits texts into words, and highlights the words of a search. The full-text index contains the same words
 * (search/indexing.ts), so that a search finds exactly what is highlighted. Emoji are found and not highlighted.
 */

/** Incremented when the same text gives other words: the index is then rebuilt. */
export const WORDS_VERSION = 2;

/** Scripts without spaces between words: each character is a word, so that parts of sentences are found. */
const UNSPACED =
  "[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}]";
/** A decomposed Hangul syllable. */
const JAMO = "[\\u1100-\\u115f]+[\\u1160-\\u11a7]*[\\u11a8-\\u11ff]*";
/** The half-width marks of \u304C and \u3071 are letters for Unicode. */
const BEGINS = "[[\\p{L}\\p{N}\\p{Co}]--[\\uff9e\\uff9f]]";
/** A word starts with a letter or digit of any script. Invisible characters, such as soft hyphens, do not end it. */
const WORD = new RegExp(
  `${JAMO}|[${BEGINS}&&${UNSPACED}][\\p{M}\\uff9e\\uff9f]*|[${BEGINS}--${UNSPACED}][[\\p{L}\\p{N}\\p{M}\\p{Co}\\p{DI}]--[${BEGINS}&&${UNSPACED}]]*`,
  "gv",
);
/**
 * The characters that folding removes: accents, and the points of Hebrew and Arabic (not other vowels, nor the mark of
 * \u304C, which is \u304B without it); the stroke that lengthens Arabic letters; invisible characters; and signs of
 * compatibility forms.
 */
const REMOVED =
  /[[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309A]]\u0640\p{DI}[^\p{L}\p{N}\p{M}\p{Co}\n]]/gv;
/** Replacements for letters that Unicode does not decompose. */
const TYPED_AS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ı: "i",
  ς: "σ",
};
const HAS_OTHERS = new RegExp(`[${Object.keys(TYPED_AS).join("")}]`, "g");
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** `WORD` for lower-case ASCII. */
const ASCII_WORD = /[a-z0-9]+/g;

/** Removes case, accents, and compatibility forms such as full-width letters and ligatures. Keeps line ends. */
const fold = (words: string): string =>
  ASCII.test(words)
    ? words.toLowerCase()
    : words
        .normalize("NFKD")
        .replace(REMOVED, "")
        .toLowerCase()
        .replace(HAS_OTHERS, (letter) => TYPED_AS[letter] as string);

/** The words of a text, folded. Folding them together takes a third of the time. */
export const foldedWords = (text: string): string[] =>
  ASCII.test(text)
    ? (text.toLowerCase().match(ASCII_WORD) ?? [])
    : fold((text.match(WORD) ?? []).join("\n"))
        .split("\n")
        .filter(Boolean);

/** Each emoji has at least one of these characters. */
const HAS_EMOJI = /[\u20e3\u2300-\u2bff\u3030-\u3299\ud83c-\ud83e]/;

/** The word of an emoji. No word of a text has a colon. */
const wordOfEmoji = (code: string): string => `:${code}`;

/** The words of emoji characters, without skin tones. */
function emojiIn(text: string): string[] {
  if (!HAS_EMOJI.test(text)) return [];
  return (text.match(EMOJI_CHARACTERS) ?? []).flatMap((characters) => {
    const emoji = emojiOfCharacters(characters) ?? emojiOfCharacters(characters.replace(/\p{EMod}/gu, ""));
    return emoji ? [wordOfEmoji(emoji.code)] : [];
  });
}

/** The words of a text without Markdown, and then its emoji. */
export const wordsOfText = (text: string): string[] => [...foldedWords(text), ...emojiIn(text)];

/** Returns a function that finds these words and phrases in a text, in one pass for any number of them. */
export function finderOf(phrases: Iterable<string>): (text: string) => string[] {
  const byFirst = new Map<string, { words: readonly string[]; phrase: string }[]>();
  for (const phrase of phrases) {
    const words = foldedWords(phrase);
    const [first] = words;
    if (first === undefined) continue; // no text contains it
    const candidates = byFirst.get(first);
    if (candidates) candidates.push({ words, phrase });
    else byFirst.set(first, [{ words, phrase }]);
  }
  return (text) => {
    const words = foldedWords(text);
    const found = new Set<string>();
    for (let at = 0; at < words.length; at += 1) {
      for (const candidate of byFirst.get(words[at] as string) ?? []) {
        if (candidate.words.every((word, offset) => words[at + offset] === word)) found.add(candidate.phrase);
      }
    }
    return [...found];
  };
}

/** The folded words of a message's HTML, which `highlightMatches` can highlight, and then its emoji. */
export function wordsOfHtml(html: string): string[] {
  const parts = partsIn(html.split(TAG));
  const words: string[] = [];
  const emoji: string[] = [];
  for (let index = 0; index < parts.length; ) {
    let text = parts[index]!.text;
    for (index++; parts[index]?.continues; index++) text += parts[index]!.text;
    words.push(...foldedWords(withoutEntities(text)));
    emoji.push(...emojiIn(text));
  }
  return [...words, ...emoji, ...emojiOfHtml(html)];
}

/** The text of a message's HTML, without formulas and emoji. */
export const textOfHtml = (html: string): string =>
  unescapeHtml(
    partsIn(html.split(TAG))
      .map(({ text, continues }) => (continues ? text : `\n${text}`))
      .join(""),
  );

const EMOJI_TAG = /<(?:span|img) [^>]*class="emoji(?: emoji-([0-9a-f-]+))?"[^>]*title="([^"]*)"/g;

/** The emoji of a message's HTML, also by the words of their names. Names of digits only, such as `+1`, are left out. */
function emojiOfHtml(html: string): string[] {
  if (!html.includes('class="emoji')) return [];
  return [...html.matchAll(EMOJI_TAG)].flatMap(([, code, title = ""]) => [
    ...(code === undefined ? [] : [wordOfEmoji(code)]),
    ...(/\p{L}/u.test(title) ? foldedWords(unescapeHtml(title)) : []),
  ]);
}

/** The terms of a search: words, phrases in quotes, and prefixes with `*`. */
export function searchTerms(search: string): string[] {
  const terms = [...search.matchAll(/"([^"]*)"(\*?)|([^\s"]+)/g)]
    .map(([, phrase, star = "", word = ""]) => (phrase === undefined ? word : phrase + star))
    .filter((term) => searchTermsIn([term]).length > 0);
  return [...new Set(terms)];
}

/** Consecutive words; with `isPrefix` the last one is a prefix. */
export interface SearchTerm {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** `:name:` is an emoji's word if it is a Unicode emoji; each emoji is a term of its own. */
export const searchTermsIn = (terms: readonly string[]): SearchTerm[] =>
  terms.flatMap((term) => {
    const emoji = emojiIn(term);
    const text = term.replace(/:([^\s:]+):/g, (written, name: string) => {
      const { code } = emojiByName(name) ?? {};
      if (code !== undefined) emoji.push(wordOfEmoji(code));
      return code === undefined ? written : " ";
    });
    const words = foldedWords(text);
    return [
      ...(words.length === 0 ? [] : [{ words, isPrefix: text.trimEnd().endsWith("*") }]),
      ...emoji.map((word) => ({ words: [word], isPrefix: false })),
    ];
  });

/** Whether these words contain the term. */
export function matchesAt(words: readonly string[], { words: term, isPrefix }: SearchTerm): boolean {
  const last = term.length - 1;
  for (let at = 0; at + last < words.length; at += 1) {
    let offset = 0;
    while (offset < last && words[at + offset] === term[offset]) offset += 1;
    if (offset < last) continue;
    const [word, expected] = [words[at + last] as string, term[last] as string];
    if (isPrefix ? word.startsWith(expected) : word === expected) return true;
  }
  return false;
}

/** A text between tags. */
interface Part {
  readonly text: string;
  /** Whether only formatting is between the previous part and this one, so that a word can begin there. */
  readonly continues: boolean;
}

interface Range {
  /** Index of the part. */
  readonly part: number;
  readonly start: number;
  end: number;
}

interface WordSpan {
  readonly word: string;
  /** Its places, in more than one part if a part of the word is formatted. */
  readonly ranges: readonly Range[];
}

function wordSpans(parts: readonly Part[]): WordSpan[] {
  const spans: WordSpan[] = [];
  for (let first = 0; first < parts.length; ) {
    let last = first;
    while (parts[last + 1]?.continues) last++;
    const texts = parts.slice(first, last + 1).map(({ text }) => text);
    let [part, partStart] = [0, 0];
    const matches = [...texts.join("").matchAll(WORD)];
    const words = fold(matches.map(([word]) => word).join("\n")).split("\n");
    for (const [index, match] of matches.entries()) {
      const ranges: Range[] = [];
      const end = match.index + match[0].length;
      for (let at = match.index; at < end; ) {
        const partEnd = partStart + texts[part]!.length;
        if (at < partEnd) {
          ranges.push({ part: first + part, start: at - partStart, end: Math.min(end, partEnd) - partStart });
          at = Math.min(end, partEnd);
        }
        if (at < end) {
          partStart = partEnd;
          part++;
        }
      }
      const word = words[index] as string;
      if (word !== "") spans.push({ word, ranges });
    }
    first = last + 1;
  }
  return spans;
}

/** Highlights terms in consecutive texts, also across them. `write` makes HTML from plain parts. */
function marked(parts: readonly Part[], terms: readonly string[], write: (text: string) => string): string[] {
  const spans = wordSpans(parts);
  const marks = parts.map((): [start: number, end: number][] => []);
  const index = new Map<string, number[]>();
  for (const [position, { word }] of spans.entries()) {
    const positions = index.get(word);
    if (positions) positions.push(position);
    else index.set(word, [position]);
  }
  for (const { words, isPrefix } of searchTermsIn(terms)) {
    const isSinglePrefix = words.length === 1 && isPrefix;
    const starts = isSinglePrefix
      ? [...index].filter(([word]) => word.startsWith(words[0] as string)).flatMap(([, positions]) => positions)
      : (index.get(words[0] as string) ?? []);
    for (const first of starts) {
      if (!words.every((word, offset) => isWord(spans[first + offset], word, isPrefix && offset === words.length - 1)))
        continue;
      // Within one text the highlight includes the characters between the words.
      let mark: Range | undefined;
      for (let position = first; position < first + words.length; position++) {
        for (const range of (spans[position] as WordSpan).ranges) {
          if (mark?.part === range.part) mark.end = range.end;
          else {
            if (mark) marks[mark.part]?.push([mark.start, mark.end]);
            mark = { ...range };
          }
        }
      }
      if (mark) marks[mark.part]?.push([mark.start, mark.end]);
    }
  }
  return parts.map(({ text }, part) => withMarks(text, marks[part] ?? [], write));
}

const isWord = (span: WordSpan | undefined, word: string, isPrefix: boolean): boolean =>
  span !== undefined && (isPrefix ? span.word.startsWith(word) : span.word === word);

function withMarks(text: string, marks: [start: number, end: number][], write: (text: string) => string): string {
  let html = "";
  let position = 0;
  marks.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  for (let index = 0; index < marks.length; ) {
    const [start, first] = marks[index] as [number, number];
    let end = first;
    for (index++; index < marks.length && marks[index]![0] < end; index++) end = Math.max(end, marks[index]![1]);
    html += `${write(text.slice(position, start))}<span class="highlight">${write(text.slice(start, end))}</span>`;
    position = end;
  }
  return html + write(text.slice(position));
}

/**
 * Highlights search terms (see `searchTerms`) in the HTML of a message. Tags, attributes, entities and formulas stay
 * intact.
 */
export function highlightMatches(html: string, terms: readonly string[]): string {
  const pieces = html.split(TAG);
  const parts = partsIn(pieces);
  const written = marked(
    parts.map((part) => ({ ...part, text: withoutEntities(part.text) })),
    terms,
    (text) => text,
  );
  for (const [index, { piece, text }] of parts.entries()) pieces[piece] = withEntities(written[index] as string, text);
  return pieces.join("");
}

const TAG = /(<[^>]*>)/;

/** Formatting inside words, and the colors of code. */
const FORMATTING = /^<(?:\/?(?:strong|em|del)|span class="[a-z]{1,2}\d?")>$/;

/** The texts between tags, without those in formulas and emoji. */
function partsIn(pieces: readonly string[]): (Part & { piece: number })[] {
  const parts: (Part & { piece: number })[] = [];
  let formula = 0;
  let continues = false;
  let isInColor = false;
  for (const [piece, text] of pieces.entries()) {
    if (piece % 2 === 1) {
      const isFormatting = FORMATTING.test(text);
      continues &&= isFormatting || (isInColor && text === "</span>");
      isInColor = isFormatting && text.startsWith("<span");
      // Formulas and emoji are displayed as images: skip to their end.
      if (formula > 0) formula += depthOf(text);
      else if (/^<span [^>]*class="(?:katex|emoji)[ "-]/.test(text)) formula = 1;
    } else if (formula === 0 && text !== "") {
      parts.push({ piece, text, continues });
      continues = true;
    }
  }
  return parts;
}

const depthOf = (tag: string): number => {
  if (tag.startsWith("</")) return -1;
  return tag.endsWith("/>") || /^<(?:br|hr|img)\b/.test(tag) ? 0 : 1;
};

// Entities stand for characters that are not letters, so a placeholder replaces them during the search.
const ENTITY = /&(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);/gi;
const PLACEHOLDER = "\u0000";
const withoutEntities = (text: string): string => text.replaceAll(PLACEHOLDER, " ").replace(ENTITY, PLACEHOLDER);
function withEntities(marked: string, original: string): string {
  const entities = original.match(ENTITY) ?? [];
  let next = 0;
  return marked.replaceAll(PLACEHOLDER, () => entities[next++] as string);
}

/** The HTML of a topic, with the search terms highlighted. */
export const highlightText = (text: string, terms: readonly string[]): string =>
  marked([{ text, continues: false }], terms, escapeHtml)[0] as string;

/** Whether the HTML of a message mentions the user by name, not silently. */
export const mentionsByName = (html: string, userId: number): boolean =>
  html.includes(`<span class="user-mention" data-user-id="${userId}">`);
