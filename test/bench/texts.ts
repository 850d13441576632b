export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const VOCABULARY = 30_000;
const SYLLABLES = "ka lo mi ru ten sa vor ni pel do wen ti gra so hu le mar bi che fo".split(" ");
const ENDS = [".", ".", ",", ",", "?", "!", ":"];
/** One message in five contains one of these. */
const MARKUP = [
  "**friday**",
  "`npm test`",
  "https://example.com/issues/412",
  "https://example.com/board.png",
  ":tada:",
  "*really*",
  "~~tomorrow~~",
  "👍",
];

/** The word of this rank. Rank 0 is the most frequent. */
export function word(rank: number): string {
  let [text, rest] = ["", rank];
  do {
    text += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return text;
}

/**
 * Sentences of 60 to 300 characters. As in every language (Zipf's law), the word of rank n is about 1 / n as frequent
 * as the first. Searches for common and rare words therefore find realistic numbers.
 */
export function textMaker(random: () => number): () => string {
  const words = Array.from({ length: VOCABULARY }, (_, rank) => word(rank));
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  return () => {
    const length = 60 + random() * 240;
    let text = random() < 0.2 ? any(MARKUP) : "";
    while (text.length < length) {
      text += `${text === "" ? "" : " "}${words[Math.floor(VOCABULARY ** random()) - 1]}`;
      if (random() < 0.1) text += any(ENDS);
    }
    return text;
  };
}
