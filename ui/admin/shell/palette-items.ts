import type { TFunction } from "i18next";
import { Blocks, SlidersHorizontal } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { textAt } from "../../locales/i18n.ts";
import { folded, wordMatcher } from "../../parts/folded.ts";
import { type SettingTables, settingsIn } from "../../parts/settings/setting-tables.ts";
import type { NavigationPage, NavigationSection } from "../navigation.ts";
import { settingSearchText } from "../parts/setting-labels.ts";
import { botItems } from "./bot-items.ts";
import { channelItems } from "./channel-items.ts";
import { customizationItems } from "./customization-items.ts";
import type { PaletteItem } from "./palette-item.ts";
import { peopleItems } from "./people-items.ts";

/** Everything in these sections: pages first, then settings, then the things of `state` by name. */
export function paletteItems(
  sections: readonly NavigationSection[],
  state: State,
  t: TFunction,
  tables: SettingTables | undefined,
): PaletteItem[] {
  const paths = new Set(sections.flatMap(({ pages }) => pages.map(({ path }) => path)));
  return [
    ...pageItems(sections, t),
    ...(tables ? settingItems(tables, t) : []),
    ...hostItems(t),
    ...pictureItems(t),
    ...peopleItems(state, t),
    ...channelItems(state, t),
    ...botItems(state, t),
    ...integrationItems(state, t),
    ...customizationItems(state, t),
  ].filter(({ to }) => paths.has(to));
}

/**
 * The items that contain every word of the query, the best first; for an empty query, the pages. `#` or `@` before a name
 * finds items with that sign first, then items that contain the character.
 */
export function itemsFor(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const text = folded(query.trim());
  if (text === "") return items.filter(({ isPage }) => isPage);
  const signed = items.filter(({ sign }) => sign !== undefined && text.startsWith(sign));
  if (signed.length === 0) return named(items, text);
  const found = named(signed, text.slice(1).trim());
  return [...found, ...named(items, text).filter((item) => !found.includes(item))];
}

function named(items: readonly PaletteItem[], text: string): PaletteItem[] {
  const matches = wordMatcher(text);
  const rank = ({ label, search }: PaletteItem) => {
    const name = folded(label);
    const fit = name.startsWith(text) ? 0 : name.includes(text) ? 1 : 2;
    // "add emoji" finds the action before the permission.
    const isAction = text.includes(" ") && (search.do !== undefined || search["create"] !== undefined);
    return isAction ? fit : fit + 3;
  };
  return items.filter(({ searchable }) => matches(searchable)).sort((a, b) => rank(a) - rank(b));
}

const pageItems = (sections: readonly NavigationSection[], t: TFunction): PaletteItem[] =>
  sections.flatMap(({ id: section, pages }) =>
    pages.map(({ id, path, icon }) => {
      const [label, kind] = [t(`nav.${id}`), t(`nav.sections.${section}`)];
      return {
        key: path,
        label,
        kind,
        icon,
        to: path,
        search: {},
        isPage: true,
        searchable: `${label} ${t(`nav.${id}Keywords`)}`,
      };
    }),
  );

/** Other entries of the pages about the server and the desktop app, by page. */
const HOST_ITEMS = [
  ["data", ["exports.title"]],
  ["backups", ["backups.daily", "backups.folder", "backups.passphrase", "backups.now"]],
  ["logs", ["logs.writes"]],
  [
    "computer",
    [
      "computer.startAtLogin",
      "computer.startBeforeSignIn",
      "computer.closeToTray",
      "computer.keepAwake",
      "computer.chatIn",
      "computer.keepChat",
    ],
  ],
  ["updates", ["updates.address", "updates.key", "updates.check", "updates.choose"]],
] as const;

const settingItem = (to: NavigationPage["path"], id: string, label: string, kind: string, found = ""): PaletteItem => ({
  key: `${to}/${id}`,
  label,
  kind,
  icon: SlidersHorizontal,
  to,
  search: { open: id },
  isPage: false,
  searchable: `${label} ${kind} ${found}`,
});

const hostItems = (t: TFunction): PaletteItem[] =>
  HOST_ITEMS.flatMap(([page, keys]) =>
    keys.map((key) => ({
      ...settingItem(`/${page}`, key, t(key), t(`nav.${page}`), t(`${key}Keywords`)),
      search: {},
    })),
  );

/** The organization's pictures and its deactivation, which the registry of settings does not have. */
const pictureItems = (t: TFunction): PaletteItem[] => [
  {
    ...settingItem(
      "/organization",
      "pictures",
      t("organization.pictures.title"),
      t("nav.organization"),
      `${t("organization.pictures.icon")} ${t("organization.pictures.titleKeywords")}`,
    ),
    search: {},
  },
  {
    ...settingItem("/organization", "deactivate", t("organization.deactivate.title"), t("nav.organization")),
    search: {},
  },
];

const integrationItems = ({ realm_incoming_webhook_bots = [] }: State, t: TFunction): PaletteItem[] =>
  realm_incoming_webhook_bots.map(({ name, display_name }) => ({
    ...settingItem(
      "/integrations",
      name,
      display_name,
      t("nav.integrations"),
      `${name} ${t("integrations.titleKeywords")}`,
    ),
    icon: Blocks,
  }));

function settingItems(
  { organization, new_members, permissions, operator }: SettingTables,
  t: TFunction,
): PaletteItem[] {
  return [
    ...settingsIn(organization).map(({ name }) =>
      settingItem(
        "/organization",
        name,
        textAt(`organization.${name}.label`) ?? name,
        t("nav.organization"),
        settingSearchText("organization setting", name),
      ),
    ),
    ...settingsIn(new_members).map(({ name }) =>
      settingItem(
        "/defaults",
        name,
        textAt(`userSettings.${name}.label`) ?? name,
        t("newMembers.title"),
        settingSearchText("default setting", name),
      ),
    ),
    ...settingsIn(permissions).map(({ name }) =>
      settingItem(
        "/permissions",
        name,
        textAt(`organizationPermissions.who.${name}.label`) ?? name,
        t("nav.permissions"),
        settingSearchText("organization setting", name),
      ),
    ),
    ...settingsIn(operator).map(({ name }) => ({
      ...settingItem(
        "/network",
        name,
        textAt(`operatorSettings.${name}.label`) ?? name,
        t("nav.network"),
        textAt(`operatorSettings.${name}.keywords`),
      ),
      search: {},
    })),
  ];
}
