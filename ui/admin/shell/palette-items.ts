import type { TFunction } from "i18next";
import { SlidersHorizontal } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import type { NavigationPage, NavigationSection } from "../navigation.ts";
import { NEW_MEMBER_SECTIONS } from "../settings/new-member-settings.ts";
import { ORGANIZATION_SECTIONS } from "../settings/organization-settings.ts";
import { PERMISSION_SECTIONS } from "../settings/permission-settings.ts";
import { botItems } from "./bot-items.ts";
import { channelItems } from "./channel-items.ts";
import type { PaletteItem } from "./palette-item.ts";
import { peopleItems } from "./people-items.ts";

/** All that the palette can open in these sections: pages first, then settings, then what `state` holds, by name. */
export function paletteItems(sections: readonly NavigationSection[], state: State, t: TFunction): PaletteItem[] {
  const paths = new Set(sections.flatMap(({ pages }) => pages.map(({ path }) => path)));
  return [
    ...pageItems(sections, t),
    ...settingItems(t),
    ...peopleItems(state, t),
    ...channelItems(state, t),
    ...botItems(state, t),
  ].filter(({ to }) => paths.has(to));
}

/** Those that hold every word of the query, best first: named so, then named so in part. All pages for an empty query. */
export function itemsFor(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const text = query.trim().toLowerCase();
  if (text === "") return items.filter(({ isPage }) => isPage);
  const words = text.split(/\s+/);
  const rank = ({ label }: PaletteItem) => {
    const name = label.toLowerCase();
    if (name.startsWith(text)) return 0;
    return name.includes(text) ? 1 : 2;
  };
  return items
    .filter(({ searchable }) => words.every((word) => searchable.includes(word)))
    .sort((a, b) => rank(a) - rank(b));
}

const pageItems = (sections: readonly NavigationSection[], t: TFunction): PaletteItem[] =>
  sections.flatMap(({ id: section, pages }) =>
    pages.map(({ id, path, icon }) => {
      const [label, kind] = [t(`nav.${id}`), t(`nav.sections.${section}`)];
      return { key: path, label, kind, icon, to: path, search: {}, isPage: true, searchable: label.toLowerCase() };
    }),
  );

function settingItems(t: TFunction): PaletteItem[] {
  const item = (to: NavigationPage["path"], id: string, label: string, kind: string): PaletteItem => ({
    key: `${to}/${id}`,
    label,
    kind,
    icon: SlidersHorizontal,
    to,
    search: { open: id },
    isPage: false,
    searchable: `${label} ${kind}`.toLowerCase(),
  });
  return [
    ...ORGANIZATION_SECTIONS.flatMap(({ settings }) =>
      settings.map(({ id }) => item("/organization", id, t(`organization.${id}.label`), t("nav.organization"))),
    ),
    ...NEW_MEMBER_SECTIONS.flatMap(({ settings }) =>
      settings.map(({ id }) => item("/defaults", id, t(`newMembers.settings.${id}.label`), t("newMembers.title"))),
    ),
    ...PERMISSION_SECTIONS.flatMap(({ permissions }) =>
      permissions.map((id) => item("/permissions", id, t(`organizationPermissions.who.${id}`), t("nav.permissions"))),
    ),
  ];
}
