import { causeIn, translated } from "../server-sentences.ts";
import { causes, desktopSentences } from "./desktop-sentences.ts";
import { serverSentences } from "./server-sentences.ts";

const sentences = { ...serverSentences, ...desktopSentences };

/** An error sentence of the server or the desktop app in German; undefined if it is unknown. */
export function translateSentence(sentence: string): string | undefined {
  const shown = (value: string) => translateCause(value) ?? withGermanQuotes(value);
  return translated(sentences, sentence, shown) ?? translateCause(sentence);
}

/** The reason of a system error in German; undefined if it is unknown. */
export const translateCause = (cause: string): string | undefined => causeIn(causes, cause);

/** The server quotes user input as JSON does. */
const withGermanQuotes = (value: string): string => value.replace(/^"(.*)"$/s, "„$1“");
