import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * The search parameters of a page. Facets of a table are further parameters, with their values joined by commas. All are
 * text, so that URLs stay short and readable: `#/people?role=200&open=12`.
 */
export interface PageSearch {
  /** The search query. */
  readonly q?: string | undefined;
  /** The sort column; descending with the prefix `-`. */
  readonly sort?: string | undefined;
  /** The row whose details are open. */
  readonly open?: string | undefined;
  readonly tab?: string | undefined;
  /** The open dialog. */
  readonly do?: string | undefined;
  readonly [facet: string]: string | undefined;
}

export const parseSearch = (text: string): PageSearch => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: PageSearch): string {
  const set = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}

/**
 * The search parameters and a function that changes some of them. A change replaces the current history entry. Opening
 * details or another tab adds an entry, so that Back closes them.
 */
export function usePageSearch(): [PageSearch, (change: PageSearch) => void] {
  const search: PageSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changed: PageSearch) => {
      const replace = !("open" in changed || "tab" in changed);
      void navigate({ to: ".", search: (before: PageSearch) => ({ ...before, ...changed }), replace });
    },
    [navigate],
  );
  return [search, change];
}
