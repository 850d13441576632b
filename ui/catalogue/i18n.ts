import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

void i18next.use(initReactI18next).init({
  lng: "en",
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false }, // React does it
  initAsync: false,
});

/** For Intl: the catalogue's language, with the numbers and times of the reader's own country. */
export function locale(): string {
  const { language } = i18next;
  const own = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? navigator.languages[0];
  const { region } = new Intl.Locale(own ?? language).maximize();
  return region ? `${language}-${region}` : language;
}

// Its own would write the numbers of the language's first country.
i18next.services.formatter?.add("number", (value: number) => new Intl.NumberFormat(locale()).format(value));
