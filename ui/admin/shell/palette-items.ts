import type { TFunction } from "i18next";
import type { LucideIcon } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { NAVIGATION, type NavigationPage } from "../navigation.ts";
import type { PageSearch } from "../page-search.ts";

export interface PaletteItem {
  readonly key: string;
  readonly label: string;
  /** What it is, in words; for a page, what it is for. */
  readonly kind: string;
  readonly icon: LucideIcon;
  readonly to: NavigationPage["path"];
  readonly search: PageSearch;
  readonly isPage: boolean;
  /** In lower case: what a query is compared with. */
  readonly searchable: string;
}

/** All that the palette can open. Pages come first, then what `state` holds, by name. */
export function paletteItems(_state: State, t: TFunction): PaletteItem[] {
  return NAVIGATION.flatMap(({ id: section, pages }) =>
    pages.map(({ id, path, icon }): PaletteItem => {
      const [label, kind] = [t(`nav.${id}`), t(`nav.sections.${section}`)];
      return { key: path, label, kind, icon, to: path, search: {}, isPage: true, searchable: label.toLowerCase() };
    }),
  );
}
