import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type { en } from "./en.ts";
import { everyPageTexts } from "./en-every-page.ts";

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

/** Adds the English texts that a page has beside those of every page, before it is shown. */
export function addTexts(texts: Partial<typeof en>): void {
  i18next.addResourceBundle("en", "translation", texts, true);
}

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
  if (language === "de" && !i18next.hasResourceBundle(language, "translation")) {
    const { de } = await import("./de.ts");
    i18next.addResourceBundle(language, "translation", de);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
}

/** For Intl: the language of the texts, with the number and time formats of the user's own country. */
export function locale(): string {
  const { language } = i18next;
  const preferred = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? navigator.languages[0];
  const { region } = new Intl.Locale(preferred ?? language).maximize();
  return region ? `${language}-${region}` : language;
}

// i18next's own formatter would use the number format of the language's default country.
i18next.services.formatter?.add("number", (value: number) => new Intl.NumberFormat(locale()).format(value));
