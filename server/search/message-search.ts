import { htmlOf } from "../api/queries/messages.ts";
import { matchesAt, type SearchTerm, textOfHtml, wordsOfHtml, wordsOfText } from "../markdown/matches.ts";
import type { Reader } from "../storage/transaction.ts";
import { after, type Direction, everything, fromList, isEarlier, type Page, type Source } from "./narrow-sources.ts";
import { isDamage, recordDamage, searchState } from "./search-index.ts";

/** Indexed messages that were edited or moved since they were indexed, ascending. */
const editedSince = (reader: Reader): readonly number[] =>
  reader.derived("edited since indexing", ["message_search_state", "message_edits"], (rows) => {
    const { message_id, edit_id } = searchState(rows);
    const edited = rows.all<{ id: number }>(
      "SELECT DISTINCT message_id AS id FROM message_edits WHERE id > ? AND +message_id <= ?",
      edit_id,
      message_id,
    );
    return edited.map(({ id }) => id).sort((a, b) => a - b);
  });

/** Too many words begin with a shorter prefix, so the index is not queried for it. */
const MIN_PREFIX_LENGTH = 3;
/** More phrases would cost more than they narrow down. */
const MAX_PHRASES = 12;
const MAX_WORDS = 8;

/** The query for the index. It matches at least everything that the terms match. "": the index cannot help. */
function expressionFor(terms: readonly SearchTerm[]): string {
  const phrases = terms.flatMap(({ words, isPrefix }) => {
    const endsInPrefix = isPrefix && words.length <= MAX_WORDS;
    const isShort = endsInPrefix && (words.at(-1) as string).length < MIN_PREFIX_LENGTH;
    const asked = words.slice(0, Math.min(MAX_WORDS, words.length - (isShort ? 1 : 0)));
    return asked.length === 0 ? [] : [`"${asked.join(" ")}${endsInPrefix && !isShort ? "*" : ""}"`];
  });
  return phrases.slice(0, MAX_PHRASES).join(" ");
}

/**
 * In an index of this size, frequent words are not looked up. FTS4 skips all entries of a word between its newest entry
 * and the requested page in one statement: up to 55 ms for a word in each of 1,000,000 documents.
 */
const LARGE_INDEX = 200_000;
/** A search is frequent if it finds `found` of the first `of` messages. */
const FREQUENT = { found: 4, of: 40 };

/** Whether messages from here on match so often that a scan soon fills a page. */
function isFrequent(reader: Reader, terms: readonly SearchTerm[], direction: Direction, from: number): boolean {
  const matches = textTest(reader);
  let found = 0;
  return everything(reader)(direction, from, FREQUENT.of).ids.some((id) => {
    if (matches(id, terms)) found += 1;
    return found === FREQUENT.found;
  });
}

/**
 * Messages that may match all terms: those that the index finds, and those that it lacks or has in an older version. If
 * an index of more than `largeIndex` documents would find many, all messages. Undefined: all messages must be searched.
 */
export function bySearch(
  reader: Reader,
  terms: readonly SearchTerm[],
  largeIndex: number = LARGE_INDEX,
): Source | undefined {
  const expression = expressionFor(terms);
  if (expression === "") return undefined;
  const newer = everything(reader);
  const source: Source = (direction, from, limit) => {
    const { message_id: lastIndexed, documents } = searchState(reader);
    if (documents > largeIndex && isFrequent(reader, terms, direction, from)) return newer(direction, from, limit);
    if (from > lastIndexed) {
      const page = onlyAbove(lastIndexed, direction, newer(direction, from, limit));
      // Usually no message is newer than the index, so this returns the first page of the index instead of an empty
      // one.
      return page.ids.length === 0 && page.next !== undefined ? source(direction, page.next, limit) : page;
    }
    const indexed = inIndex(reader, expression, direction, from, limit);
    if (!indexed) return newer(direction, from, limit);
    const page = merged(direction, indexed, fromList(editedSince(reader))(direction, from, limit));
    return direction === "up" && page.next === undefined ? { ids: page.ids, next: lastIndexed + 1 } : page;
  };
  return source;
}

/** Undefined: the index is damaged. */
function inIndex(
  reader: Reader,
  expression: string,
  direction: Direction,
  from: number,
  limit: number,
): Page | undefined {
  const sql =
    direction === "down"
      ? "SELECT docid AS id FROM message_search WHERE message_search MATCH ? AND docid <= ? ORDER BY docid DESC LIMIT ?"
      : "SELECT docid AS id FROM message_search WHERE message_search MATCH ? AND docid >= ? ORDER BY docid LIMIT ?";
  let ids: number[];
  try {
    ids = reader.all<{ id: number }>(sql, expression, from, limit).map(({ id }) => id);
  } catch (error) {
    if (!isDamage(error)) throw error;
    recordDamage(reader);
    return undefined;
  }
  return { ids, next: ids.length < limit ? undefined : after(direction, ids.at(-1) as number) };
}

function onlyAbove(lastIndexed: number, direction: Direction, page: Page): Page {
  if (direction === "up") return page;
  const ids = page.ids.filter((id) => id > lastIndexed);
  const ended = page.next === undefined || page.next <= lastIndexed;
  return { ids, next: ended ? (lastIndexed > 0 ? lastIndexed : undefined) : page.next };
}

/** Merges two pages of the same direction, as far as both reach. */
function merged(direction: Direction, a: Page, b: Page): Page {
  const next = a.next === undefined || (b.next !== undefined && isEarlier(direction, b.next, a.next)) ? b.next : a.next;
  const ids = [...new Set([...a.ids, ...b.ids])]
    .filter((id) => next === undefined || isEarlier(direction, id, next))
    .sort((one, other) => (direction === "down" ? other - one : one - other));
  return { ids, next };
}

const searchedText = (reader: Reader, id: number) =>
  reader.get<{ content: string; stored: string; topic: string }>(
    "SELECT content, rendered_content AS stored, topic FROM messages WHERE id = ?",
    id,
  );

/** Whether the text or topic of a message shows all of these signs. The index has only words. */
export function showsSigns(reader: Reader, id: number, signs: readonly string[]): boolean {
  const row = searchedText(reader, id);
  if (!row || signs.length === 0) return false;
  const text = `${textOfHtml(htmlOf(row.content, row.stored))}\n${row.topic}`;
  return signs.every((sign) => text.includes(sign));
}

export type TextTest = (id: number, terms: readonly SearchTerm[]) => boolean;

/** Whether the current version of a message matches all terms, each in its text or its topic. */
export function textTest(reader: Reader): TextTest {
  // Several terms in sequence query the same message.
  let last: { id: number; body: readonly string[]; topic: readonly string[]; all: ReadonlySet<string> } | undefined;
  return (id, terms) => {
    if (last?.id !== id) {
      const row = searchedText(reader, id);
      if (!row) return false;
      const [body, topic] = [wordsOfHtml(htmlOf(row.content, row.stored)), wordsOfText(row.topic)];
      last = { id, body, topic, all: new Set([...body, ...topic]) };
    }
    const { body, topic, all } = last;
    return terms.every((one) => {
      const fullWords = one.isPrefix ? one.words.slice(0, -1) : one.words;
      if (!fullWords.every((word) => all.has(word))) return false;
      return (fullWords.length === 1 && !one.isPrefix) || matchesAt(body, one) || matchesAt(topic, one);
    });
  };
}
