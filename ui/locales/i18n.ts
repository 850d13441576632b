import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { serverSentences } from "./en/server-sentences.ts";
import type { en } from "./en.ts";
import { everyPageTexts } from "./en-every-page.ts";
import { translated } from "./server-sentences.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/** The languages of the pages, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export const isLanguage = (code: string | null | undefined): code is Language => code != null && code in LANGUAGES;

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en", // for a text that another language lacks
  resources: { en: { translation: everyPageTexts } },
  interpolation: { escapeValue: false }, // React escapes
  initAsync: false,
});

type Texts = Partial<typeof en>;
type LoadGerman = () => Promise<{ [key in keyof Texts]: object }>;

/** The German texts of this page that have not been needed yet. */
const germanToLoad = new Set<LoadGerman>([() => import("./de-every-page.ts").then((all) => all.everyPageTexts)]);

/** Says what the server and the desktop's app refuse with in German. */
let german: typeof import("./de/in-german.ts") | undefined;

async function loadGerman(): Promise<void> {
  const load = async (texts: LoadGerman) => {
    i18next.addResourceBundle("de", "translation", await texts(), true);
    germanToLoad.delete(texts);
  };
  const sentences = async () => {
    german ??= await import("./de/in-german.ts");
  };
  await Promise.all([...[...germanToLoad].map(load), sentences()]);
}

/** A sentence of the server in the language of the pages; undefined where nothing better is known. */
export function sentenceInWords(sentence: string): string | undefined {
  if (i18next.language === "de") return german?.inGerman(sentence);
  // It says no more than the words before it.
  return translated(serverSentences, sentence) ?? withoutEnd(sentence, ": insufficient permission.");
}

/** Why a system refused something, in the language of the pages; unknown causes keep Node's words. */
export const causeInWords = (cause: string): string =>
  (i18next.language === "de" && german?.causeInGerman(cause)) || cause;

const withoutEnd = (sentence: string, end: string): string | undefined =>
  sentence.endsWith(end) ? `${sentence.slice(0, -end.length)}.` : undefined;

/** Adds texts beside those of every page, before what says them is shown. German ones are loaded where they are read. */
export async function addTexts(texts: Texts, german: LoadGerman): Promise<void> {
  i18next.addResourceBundle("en", "translation", texts, true);
  germanToLoad.add(german);
  if (i18next.language === "de") await loadGerman();
}

/** The text at a key that is computed, without placeholders; undefined where there is none, or it is not loaded yet. */
export const textAt = (key: string): string | undefined =>
  i18next.exists(key) ? i18next.t(key as "audit.title") : undefined;

const KEY = "hearth-language";

/** The language that somebody has chosen in this browser. */
export function chosenLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined; // storage may be forbidden
  }
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {} // it holds until the page is closed
}

/** The language to begin with: the chosen one, else the first of the browser's that the pages have. */
export const firstLanguage = (): Language =>
  chosenLanguage() ?? navigator.languages.map((tag) => tag.split("-")[0]).find(isLanguage) ?? "en";

/** Shows the pages in a language, whose texts are loaded when it is shown first. Rejects where they cannot be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  if (language === "de") await loadGerman();
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
}

const locales = new Map<string, string>();

/** For Intl: the language of the texts, with the number and time formats of the user's own country. */
export function locale(): string {
  const { language } = i18next;
  const preferred = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? navigator.languages[0];
  const tag = preferred ?? language;
  const key = `${language} ${tag}`;
  // Each time that is shown asks for it.
  let cached = locales.get(key);
  if (cached === undefined) {
    const { region } = new Intl.Locale(tag).maximize();
    cached = region ? `${language}-${region}` : language;
    locales.set(key, cached);
  }
  return cached;
}

const numberFormats = new Map<string, Intl.NumberFormat>();
// i18next's own formatter would use the number format of the language's default country.
i18next.services.formatter?.add("number", (value: number) => {
  const format = numberFormats.get(locale()) ?? new Intl.NumberFormat(locale());
  numberFormats.set(locale(), format);
  return format.format(value);
});
