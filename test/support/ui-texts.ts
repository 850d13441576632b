import { createInstance } from "i18next";
import { en } from "../../ui/locales/en.ts";
import type {} from "../../ui/locales/i18n.ts"; // types the keys

// The texts of the pages, so that tests survive wording changes. Tests use `en` for texts without placeholders.

const catalogue = createInstance();
void catalogue.init({
  lng: "en",
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false },
  initAsync: false,
});

export const uiText = catalogue.t;

/** Matches a text with any values for its placeholders; `{{}}` matches anything. */
export const likeText = (template: string): RegExp =>
  new RegExp(
    template
      .split(/\{\{.*?\}\}|<\/?\w+\/?>/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*"),
    "s",
  );
