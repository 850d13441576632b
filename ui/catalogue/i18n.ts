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

/** For Intl: the reader's own country where it speaks the catalogue's language. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.split("-")[0] === i18next.language) ?? i18next.language;
