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
  interpolation: { escapeValue: false }, // React escapes
  initAsync: false,
});

/** For Intl: the language of the texts, with the number and time formats of the user's own country. */
export function locale(): string {
  const { language } = i18next;
  const preferred = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? navigator.languages[0];
  const { region } = new Intl.Locale(preferred ?? language).maximize();
  return region ? `${language}-${region}` : language;
}

// i18next's own formatter would use the number format of the language's default country.
i18next.services.formatter?.add("number", (value: number) => new Intl.NumberFormat(locale()).format(value));
