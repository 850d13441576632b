import { escapeHtml } from "./text.ts";

/*
 * Where a search's words stand. Words are read as the full-text index reads them (SQLite's unicode61): letters and
 * digits in any script, without case and accents.
 */

const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

const fold = (word: string): string =>
  word
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/** The words of a text, folded. */
export const foldedWords = (text: string): string[] => (text.match(WORD) ?? []).map(fold);

/** What is sought: words in a row, the last of them perhaps only begun. */
interface Sought {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

const soughtIn = (terms: readonly string[]): Sought[] =>
  terms.flatMap((term) => {
    const words = foldedWords(term);
    return words.length === 0 ? [] : [{ words, isPrefix: term.trimEnd().endsWith("*") }];
  });

interface Place {
  /** Which of the texts. */
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/** Marks what is sought in texts that are read one after the other; `write` makes HTML of an unmarked stretch. */
function marked(parts: readonly string[], terms: readonly string[], write: (text: string) => string): string[] {
  const places = parts.flatMap((text, part): Place[] =>
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
  for (const { words, isPrefix } of soughtIn(terms)) {
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
      for (let position = beginning; position < beginning + words.length; position++) {
        const place = places[position] as Place;
        const before = places[position - 1];
        // Within one text the whole row is marked, with what stands between.
        const start = position > beginning && before?.part === place.part ? before.start : place.start;
        marks[place.part]?.push([start, place.end]);
      }
    }
  }
  return parts.map((text, part) => withMarks(text, marks[part] ?? [], write));
}

const isWord = (place: Place | undefined, word: string, isPrefix: boolean): boolean =>
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
  const pieces = html.split(/(<[^>]*>)/);
  const texts: { piece: number; text: string }[] = [];
  let formula = 0;
  for (const [piece, text] of pieces.entries()) {
    if (piece % 2 === 1) {
      // A formula is one picture, and an emoji's text is not shown: both stand for themselves to their end.
      if (formula > 0) formula += depthOf(text);
      else if (/^<span [^>]*class="(?:katex|emoji)[ "-]/.test(text)) formula = 1;
    } else if (formula === 0 && text !== "") texts.push({ piece, text });
  }
  const written = marked(
    texts.map(({ text }) => withoutEntities(text)),
    terms,
    (text) => text,
  );
  for (const [index, { piece, text }] of texts.entries()) pieces[piece] = withEntities(written[index] as string, text);
  return pieces.join("");
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
