import { causeIn, translated } from "../server-sentences.ts";
import { causes, desktopSentences } from "./desktop-sentences.ts";
import { serverSentences } from "./server-sentences.ts";

const sentences = { ...serverSentences, ...desktopSentences };

/** What the server or the desktop's app refuses with, in German; undefined where it is not known. */
export function inGerman(sentence: string): string | undefined {
  const shown = (value: string) => causeInGerman(value) ?? inGermanQuotes(value);
  return translated(sentences, sentence, shown) ?? causeInGerman(sentence);
}

/** Why a system refused something; undefined for a cause that is not known. */
export const causeInGerman = (cause: string): string | undefined => causeIn(causes, cause);

/** The server quotes what somebody has written as JSON does. */
const inGermanQuotes = (value: string): string => value.replace(/^"(.*)"$/s, "„$1“");
