import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * What an address says beside the page's path. Facets of a table are further names, with their values joined by commas.
 * All are text, so that addresses stay short and readable: `#/people?role=200&open=12`.
 */
export interface PageSearch {
  /** What is searched for. */
  readonly q?: string | undefined;
  /** The column that sorts; with a `-` before it, descending. */
  readonly sort?: string | undefined;
  /** Which row's details are open. */
  readonly open?: string | undefined;
  readonly tab?: string | undefined;
  /** What is begun here: the dialog that is open. */
  readonly do?: string | undefined;
  readonly [facet: string]: string | undefined;
}

export const parseSearch = (text: string): PageSearch => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: PageSearch): string {
  const set = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}

/**
 * The address's search, and what changes parts of it. A change replaces the present entry of the history, but opening
 * details or another tab makes a new one, so that Back closes them.
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
