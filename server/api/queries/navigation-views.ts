import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

/** A view in a person's navigation, and whether it is pinned (docs/protocol.md#other-records). */
export const wireNavigationView = z.object({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable().describe("Null: a view that every client has, and names itself."),
});
export type WireNavigationView = z.output<typeof wireNavigationView>;

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

type Row = Omit<WireNavigationView, "is_pinned"> & { is_pinned: number };

/** The user's own views, by fragment. */
export const navigationViewsOf = (reader: Reader, user: User): WireNavigationView[] =>
  reader
    .all<Row>("SELECT fragment, is_pinned, name FROM navigation_views WHERE user_id = ? ORDER BY fragment", user.id)
    .map((row) => ({ ...row, is_pinned: row.is_pinned === 1 }));
