import { foldedWords, matchesAt, type SearchTerm, wordsOfHtml } from "../markdown/matches.ts";
import type { Reader } from "../storage/transaction.ts";
import { after, type Direction, everything, fromList, isEarlier, type Page, type Source } from "./narrow-sources.ts";
import { isDamage, recordDamage, searchState } from "./search-index.ts";

/** Messages of the index that were edited or moved since, ascending. */
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

/** A beginning as short as this is that of too many words: it is left to the texts. */
const SHORTEST_BEGINNING = 3;
/** More would narrow candidates down no further than it costs to look for them. */
const MAX_PHRASES = 12;
const MAX_WORDS = 8;

/** What the index is asked for: no less than what is sought. "": the index is no help. */
function expressionFor(sought: readonly SearchTerm[]): string {
  const phrases = sought.flatMap(({ words, isPrefix }) => {
    const begun = isPrefix && words.length <= MAX_WORDS;
    const isShort = begun && (words.at(-1) as string).length < SHORTEST_BEGINNING;
    const asked = words.slice(0, Math.min(MAX_WORDS, words.length - (isShort ? 1 : 0)));
    return asked.length === 0 ? [] : [`"${asked.join(" ")}${begun && !isShort ? "*" : ""}"`];
  });
  return phrases.slice(0, MAX_PHRASES).join(" ");
}

/**
 * Messages that may hold all that is sought, found by the index; and all that the index lacks or knows only as they
 * were. Undefined: to be sought among all messages.
 */
export function bySearch(reader: Reader, sought: readonly SearchTerm[]): Source | undefined {
  const expression = expressionFor(sought);
  if (expression === "") return undefined;
  const newer = everything(reader);
  const source: Source = (direction, from, most) => {
    const { message_id: through } = searchState(reader);
    if (from > through) {
      const page = onlyAbove(through, direction, newer(direction, from, most));
      // Where nothing is newer than the index, as almost always, its own first page is the first.
      return page.ids.length === 0 && page.next !== undefined ? source(direction, page.next, most) : page;
    }
    const indexed = inIndex(reader, expression, direction, from, most);
    if (!indexed) return newer(direction, from, most);
    const page = together(direction, indexed, fromList(editedSince(reader))(direction, from, most));
    return direction === "up" && page.next === undefined ? { ids: page.ids, next: through + 1 } : page;
  };
  return source;
}

/** Undefined: the index is damaged. */
function inIndex(
  reader: Reader,
  expression: string,
  direction: Direction,
  from: number,
  most: number,
): Page | undefined {
  const sql =
    direction === "down"
      ? "SELECT docid AS id FROM message_search WHERE message_search MATCH ? AND docid <= ? ORDER BY docid DESC LIMIT ?"
      : "SELECT docid AS id FROM message_search WHERE message_search MATCH ? AND docid >= ? ORDER BY docid LIMIT ?";
  let ids: number[];
  try {
    ids = reader.all<{ id: number }>(sql, expression, from, most).map(({ id }) => id);
  } catch (error) {
    if (!isDamage(error)) throw error;
    recordDamage(reader);
    return undefined;
  }
  return { ids, next: ids.length < most ? undefined : after(direction, ids.at(-1) as number) };
}

function onlyAbove(through: number, direction: Direction, page: Page): Page {
  if (direction === "up") return page;
  const ids = page.ids.filter((id) => id > through);
  const ended = page.next === undefined || page.next <= through;
  return { ids, next: ended ? (through > 0 ? through : undefined) : page.next };
}

/** Two pages of the same way as one, as far as both go. */
function together(direction: Direction, a: Page, b: Page): Page {
  const next = a.next === undefined || (b.next !== undefined && isEarlier(direction, b.next, a.next)) ? b.next : a.next;
  const ids = [...new Set([...a.ids, ...b.ids])]
    .filter((id) => next === undefined || isEarlier(direction, id, next))
    .sort((one, other) => (direction === "down" ? other - one : one - other));
  return { ids, next };
}

export type TextTest = (id: number, sought: readonly SearchTerm[]) => boolean;

/** Whether all that is sought stands in a message as it is now, each in its text or its topic. */
export function textTest(reader: Reader): TextTest {
  // Several terms ask about one message after the other.
  let last: { id: number; body: readonly string[]; topic: readonly string[]; all: ReadonlySet<string> } | undefined;
  return (id, sought) => {
    if (last?.id !== id) {
      const row = reader.get<{ html: string; topic: string }>(
        "SELECT rendered_content AS html, topic FROM messages WHERE id = ?",
        id,
      );
      if (!row) return false;
      const [body, topic] = [wordsOfHtml(row.html), foldedWords(row.topic)];
      last = { id, body, topic, all: new Set([...body, ...topic]) };
    }
    const { body, topic, all } = last;
    return sought.every((one) => {
      const whole = one.isPrefix ? one.words.slice(0, -1) : one.words;
      if (!whole.every((word) => all.has(word))) return false;
      return (whole.length === 1 && !one.isPrefix) || matchesAt(body, one) || matchesAt(topic, one);
    });
  };
}
