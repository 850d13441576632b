import type { LucideIcon } from "lucide-react";
import type { NavigationPage } from "../navigation.ts";
import type { PageSearch } from "../page-search.ts";

export interface PaletteItem {
  readonly key: string;
  readonly label: string;
  /** The type of thing; for a page, its section. */
  readonly kind: string;
  readonly icon: LucideIcon;
  /** Called in place of opening `to`. */
  readonly run?: () => void;
  readonly to: NavigationPage["path"];
  readonly search: PageSearch;
  /** Shown for an empty query. */
  readonly isPage: boolean;
  /** A prefix that limits the query to such things: `#` for channels, `@` for people, groups and bots. */
  readonly sign?: "#" | "@";
  readonly searchable: string;
}
