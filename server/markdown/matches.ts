import { escapeHtml } from "./plain.ts";

/*
 * Splits texts into words, and highlights the words of a search. The full-text index contains the same words
 * (search/indexing.ts), so that a search finds exactly what is highlighted.
 */

/** Incremented when the same text gives other words: the index is then rebuilt. */
export const WORDS_VERSION = 1;

/** Scripts without spaces between words: each character is a word, so that parts of sentences are found. */
const UNSPACED =
  "[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}]";
/** A decomposed Hangul syllable. */
const JAMO = "[\\u1100-\\u115f]+[\\u1160-\\u11a7]*[\\u11a8-\\u11ff]*";
const BEGINS = "[\\p{L}\\p{N}\\p{Co}]";
/** A word starts with a letter or digit of any script. */
const WORD = new RegExp(
  `${JAMO}|[${BEGINS}&&${UNSPACED}]\\p{M}*|[${BEGINS}--${UNSPACED}][[\\p{L}\\p{N}\\p{M}\\p{Co}]--[${BEGINS}&&${UNSPACED}]]*`,
  "gv",
);
/** Accents, and the points of Hebrew and Arabic; not other vowels, nor the mark of \u304C (\u304B without it). */
const ACCENT = /[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309A]]/gv;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** `WORD` for lower-case ASCII. */
const ASCII_WORD = /[a-z0-9]+/g;

/** Removes case and accents. */
const fold = (word: string): string =>
  ASCII.test(word)
    ? word.toLowerCase()
    : word.normalize("NFD").replace(ACCENT, "").toLowerCase().replaceAll("\u03c2", "\u03c3");

/** The words of a text, folded. */
export const foldedWords = (text: string): string[] =>
  ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : (text.match(WORD) ?? []).map(fold);

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

/** The folded words of a message's HTML, which `highlightMatches` can highlight. */
export const wordsOfHtml = (html: string): string[] =>
  textsIn(html.split(TAG)).flatMap(({ text }) => foldedWords(withoutEntities(text)));

/** The terms of a search: words, phrases in quotes, and prefixes with `*`. */
export function searchTerms(search: string): string[] {
  const terms = [...search.matchAll(/"([^"]*)"(\*?)|([^\s"]+)/g)]
    .map(([, phrase, star = "", word = ""]) => (phrase === undefined ? word : phrase + star))
    .filter((term) => foldedWords(term).length > 0);
  return [...new Set(terms)];
}

/** Consecutive words; with `isPrefix` the last one is a prefix. */
export interface SearchTerm {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

export const searchTermsIn = (terms: readonly string[]): SearchTerm[] =>
  terms.flatMap((term) => {
    const words = foldedWords(term);
    return words.length === 0 ? [] : [{ words, isPrefix: term.trimEnd().endsWith("*") }];
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

interface WordSpan {
  /** Index of the text. */
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/** Highlights terms in consecutive texts, also across them. `write` makes HTML from plain parts. */
function marked(parts: readonly string[], terms: readonly string[], write: (text: string) => string): string[] {
  const spans = parts.flatMap((text, part): WordSpan[] =>
    [...text.matchAll(WORD)].map((match) => ({
      part,
      start: match.index,
      end: match.index + match[0].length,
      word: fold(match[0]),
    })),
  );
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
      for (let position = first; position < first + words.length; ) {
        const { part, start } = spans[position] as WordSpan;
        let { end } = spans[position] as WordSpan;
        for (position++; position < first + words.length && spans[position]?.part === part; position++)
          end = (spans[position] as WordSpan).end;
        marks[part]?.push([start, end]);
      }
    }
  }
  return parts.map((text, part) => withMarks(text, marks[part] ?? [], write));
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

/** The texts between tags, without those in formulas and emoji. */
function textsIn(pieces: readonly string[]): { piece: number; text: string }[] {
  const texts: { piece: number; text: string }[] = [];
  let formula = 0;
  for (const [piece, text] of pieces.entries()) {
    if (piece % 2 === 1) {
      // Formulas and emoji are displayed as images: skip to their end.
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
  marked([text], terms, escapeHtml)[0] as string;
