import { escapeHtml } from "./text.ts";

/*
 * What the words of a text are, and where those of a search stand in it. The full-text index is filled with these very
 * words (actions/message-search.ts), so that what is found and what is marked are always the same.
 */

/** Raised whenever the same text comes to other words: the index is then made anew. */
export const WORDS_VERSION = 1;

/** Scripts that put no blanks between words: each character is a word, so that a part of a sentence is found. */
const UNSPACED =
  "[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}]";
/** A Hangul syllable that is written in its parts. */
const JAMO = "[\\u1100-\\u115f]+[\\u1160-\\u11a7]*[\\u11a8-\\u11ff]*";
const BEGINS = "[\\p{L}\\p{N}\\p{Co}]";
/** Letters and digits of any script; what a search takes for a word begins with one. */
const WORD = new RegExp(
  `${JAMO}|[${BEGINS}&&${UNSPACED}]\\p{M}*|[${BEGINS}--${UNSPACED}][[\\p{L}\\p{N}\\p{M}\\p{Co}]--[${BEGINS}&&${UNSPACED}]]*`,
  "gv",
);
/** Accents, and the points of Hebrew and Arabic; not the vowels of other scripts, nor what tells \u304C from \u304B. */
const ACCENT = /[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309A]]/gv;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** What `WORD` comes to there, in lower case. */
const ASCII_WORD = /[a-z0-9]+/g;

/** Without case and accents. */
const fold = (word: string): string =>
  ASCII.test(word)
    ? word.toLowerCase()
    : word.normalize("NFD").replace(ACCENT, "").toLowerCase().replaceAll("\u03c2", "\u03c3");

/** The words of a text, folded. */
export const foldedWords = (text: string): string[] =>
  ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : (text.match(WORD) ?? []).map(fold);

/** Finds in texts those of these words, and rows of words, that they hold; as they are given, however many there are. */
export function finderOf(given: Iterable<string>): (text: string) => string[] {
  const byFirst = new Map<string, { words: readonly string[]; as: string }[]>();
  for (const as of given) {
    const words = foldedWords(as);
    const [first] = words;
    if (first === undefined) continue; // stands in no text
    const same = byFirst.get(first);
    if (same) same.push({ words, as });
    else byFirst.set(first, [{ words, as }]);
  }
  return (text) => {
    const words = foldedWords(text);
    const found = new Set<string>();
    for (let at = 0; at < words.length; at += 1) {
      const rows = byFirst.get(words[at] as string);
      for (const row of rows ?? []) {
        if (row.words.every((each, offset) => words[at + offset] === each)) found.add(row.as);
      }
    }
    return [...found];
  };
}

/** The words of a message's HTML, folded: those that `highlightMatches` could mark. */
export const wordsOfHtml = (html: string): string[] =>
  textsIn(html.split(TAG)).flatMap(({ text }) => foldedWords(withoutEntities(text)));

/** What a search asks for: words, rows of words that stand together (in quotes), beginnings (with `*` behind). */
export function searchTerms(search: string): string[] {
  const terms = [...search.matchAll(/"([^"]*)"(\*?)|([^\s"]+)/g)]
    .map(([, row, star = "", word = ""]) => (row === undefined ? word : row + star))
    .filter((term) => foldedWords(term).length > 0);
  return [...new Set(terms)];
}

/** What is sought: words in a row, the last of them perhaps only begun. */
export interface SearchTerm {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

export const searchTermsIn = (terms: readonly string[]): SearchTerm[] =>
  terms.flatMap((term) => {
    const words = foldedWords(term);
    return words.length === 0 ? [] : [{ words, isPrefix: term.trimEnd().endsWith("*") }];
  });

/** Whether it stands somewhere in these words. */
export function matchesAt(words: readonly string[], { words: sought, isPrefix }: SearchTerm): boolean {
  const last = sought.length - 1;
  for (let at = 0; at + last < words.length; at += 1) {
    let offset = 0;
    while (offset < last && words[at + offset] === sought[offset]) offset += 1;
    if (offset < last) continue;
    const [word, wanted] = [words[at + last] as string, sought[last] as string];
    if (isPrefix ? word.startsWith(wanted) : word === wanted) return true;
  }
  return false;
}

interface WordSpan {
  /** Which of the texts. */
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/** Marks what is sought in texts that are read one after the other; `write` makes HTML of an unmarked stretch. */
function marked(parts: readonly string[], terms: readonly string[], write: (text: string) => string): string[] {
  const places = parts.flatMap((text, part): WordSpan[] =>
    [...text.matchAll(WORD)].map((match) => ({
      part,
      start: match.index,
      end: match.index + match[0].length,
      word: fold(match[0]),
    })),
  );
  const marks = parts.map((): [start: number, end: number][] => []);
  const index = new Map<string, number[]>();
  for (const [position, { word }] of places.entries()) {
    const known = index.get(word);
    if (known) known.push(position);
    else index.set(word, [position]);
  }
  for (const { words, isPrefix } of searchTermsIn(terms)) {
    const alone = words.length === 1 && isPrefix;
    const beginnings = alone
      ? [...index].filter(([word]) => word.startsWith(words[0] as string)).flatMap(([, positions]) => positions)
      : (index.get(words[0] as string) ?? []);
    for (const beginning of beginnings) {
      if (
        !words.every((word, offset) =>
          isWord(places[beginning + offset], word, isPrefix && offset === words.length - 1),
        )
      )
        continue;
      // Within one text the whole row is marked, with what stands between.
      for (let position = beginning; position < beginning + words.length; ) {
        const { part, start } = places[position] as WordSpan;
        let { end } = places[position] as WordSpan;
        for (position++; position < beginning + words.length && places[position]?.part === part; position++)
          end = (places[position] as WordSpan).end;
        marks[part]?.push([start, end]);
      }
    }
  }
  return parts.map((text, part) => withMarks(text, marks[part] ?? [], write));
}

const isWord = (place: WordSpan | undefined, word: string, isPrefix: boolean): boolean =>
  place !== undefined && (isPrefix ? place.word.startsWith(word) : place.word === word);

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
 * The HTML of a message with what is sought marked. `terms` are words, rows of words that stand together, and words
 * with `*` behind that match what begins so. Tags, attributes, entities and formulas stay whole.
 */
export function highlightMatches(html: string, terms: readonly string[]): string {
  const pieces = html.split(TAG);
  const texts = textsIn(pieces);
  const written = marked(
    texts.map(({ text }) => withoutEntities(text)),
    terms,
    (text) => text,
  );
  for (const [index, { piece, text }] of texts.entries()) pieces[piece] = withEntities(written[index] as string, text);
  return pieces.join("");
}

const TAG = /(<[^>]*>)/;

/** The stretches of text between tags, but not what is inside formulas and emoji. */
function textsIn(pieces: readonly string[]): { piece: number; text: string }[] {
  const texts: { piece: number; text: string }[] = [];
  let formula = 0;
  for (const [piece, text] of pieces.entries()) {
    if (piece % 2 === 1) {
      // A formula is one picture, and an emoji's text is not shown: both stand for themselves to their end.
      if (formula > 0) formula += depthOf(text);
      else if (/^<span [^>]*class="(?:katex|emoji)[ "-]/.test(text)) formula = 1;
    } else if (formula === 0 && text !== "") texts.push({ piece, text });
  }
  return texts;
}

const depthOf = (tag: string): number => {
  if (tag.startsWith("</")) return -1;
  return tag.endsWith("/>") || /^<(?:br|hr|img)\b/.test(tag) ? 0 : 1;
};

// An entity stands for a character that is no letter: while words are sought, it is one such character.
const ENTITY = /&(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);/gi;
const PLACEHOLDER = "\u0000";
const withoutEntities = (text: string): string => text.replaceAll(PLACEHOLDER, " ").replace(ENTITY, PLACEHOLDER);
function withEntities(marked: string, original: string): string {
  const entities = original.match(ENTITY) ?? [];
  let next = 0;
  return marked.replaceAll(PLACEHOLDER, () => entities[next++] as string);
}

/** A topic as HTML, with what is sought marked. */
export const highlightText = (text: string, terms: readonly string[]): string =>
  marked([text], terms, escapeHtml)[0] as string;
