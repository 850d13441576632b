import { useTranslation } from "react-i18next";
import type { UnclearTerm } from "./model/search.ts";

/** What is said of a term of a search that stands for nothing. */
export function useUnclearSentence(): (term: UnclearTerm) => string {
  const { t, i18n } = useTranslation();
  return ({ typed, why, values }) =>
    t(`search.unclear.${why}`, {
      term: typed,
      values: new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(values),
    });
}
