import { type Problem, problemText } from "../server/errors.ts";
import { type ErrorTexts, errorText } from "../ui/locales/error-texts.ts";
import { english, type Texts } from "./texts-en.ts";

// Texts of main/, in the system's language. The pages have their own catalogue (ui/locales/).

/** English until `speak` chooses a language. */
export const texts: Texts = { ...english };

let errors: Partial<ErrorTexts> = {};

/** Chooses the first supported language, as the pages do with the browser's languages. */
export async function speak(tags: readonly string[]): Promise<void> {
  const language = tags.map((tag) => tag.split("-")[0]).find((code) => code === "de" || code === "en");
  const [own, german] =
    language === "de" ? await Promise.all([import("./texts-de.ts"), import("../ui/locales/de/errors.ts")]) : [];
  Object.assign(texts, own?.german ?? english);
  errors = german?.errors ?? {};
}

/** A problem in a dialog. The pages translate problems themselves. */
export const inWords = (problem: Problem): string => errorText(errors, problem) ?? problemText(problem);
