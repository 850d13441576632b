import type { LucideIcon } from "lucide-react";
import type { NavigationPage } from "../navigation.ts";
import type { PageSearch } from "../page-search.ts";

/** Something that the palette can open. */
export interface PaletteItem {
  readonly key: string;
  readonly label: string;
  /** What it is, in words; for a page, what it is for. */
  readonly kind: string;
  readonly icon: LucideIcon;
  /** What it does at once, in place of leading to `to`. */
  readonly run?: () => void;
  readonly to: NavigationPage["path"];
  readonly search: PageSearch;
  /** A page, or something to begin: shown before anything is typed. */
  readonly isPage: boolean;
  /** What one types before its name to mean nothing else: `#` of channels, `@` of people, groups and bots. */
  readonly sign?: "#" | "@";
  /** What a query is compared with. */
  readonly searchable: string;
}
