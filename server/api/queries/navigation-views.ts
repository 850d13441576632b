import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

/** A view in a person's navigation. */
export interface NavigationView {
  fragment: string;
  is_pinned: boolean;
  /** Null: a built-in view, whose name clients choose. */
  name: string | null;
}

const BUILT_IN = new Set([
  "inbox",
  "recent",
  "feed",
  "drafts",
  "narrow/has/reaction/sender/me",
  "narrow/is/mentioned",
  "narrow/is/starred",
]);
export const isBuiltIn = (fragment: string): boolean => BUILT_IN.has(fragment);

type Row = Omit<NavigationView, "is_pinned"> & { is_pinned: number };

/** The user's own views, by fragment. */
export const navigationViewsOf = (reader: Reader, user: User): NavigationView[] =>
  reader
    .all<Row>("SELECT fragment, is_pinned, name FROM navigation_views WHERE user_id = ? ORDER BY fragment", user.id)
    .map((row) => ({ ...row, is_pinned: row.is_pinned === 1 }));
