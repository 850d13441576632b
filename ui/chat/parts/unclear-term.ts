import { useTranslation } from "react-i18next";
import type { UnclearTerm } from "../model/search.ts";

/** Explains a search term that matches nothing. */
export function useUnclearSentence(): (term: UnclearTerm) => string {
  const { t, i18n } = useTranslation();
  return ({ typed, why, values }) =>
    t(`search.unclear.${why}`, {
      term: typed,
      values: new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(values),
    });
}
