import type { TFunction } from "i18next";
import { IdCard, Link2, Play, Plus, Smile } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { mayAddEmoji } from "../pages/emoji/may-add-emoji.ts";
import type { PaletteItem } from "./palette-item.ts";

export function customizationItems(state: State, t: TFunction): PaletteItem[] {
  return [
    ...actions(state, t),
    ...emoji(state, t),
    ...linkifiers(state, t),
    ...playgrounds(state, t),
    ...profileFields(state, t),
  ];
}

function actions(state: State, t: TFunction): PaletteItem[] {
  const action = (to: PaletteItem["to"], label: string, words: string): PaletteItem => ({
    key: `${to} add`,
    label,
    kind: t("shell.action"),
    icon: Plus,
    to,
    search: { do: "add" },
    isPage: false,
    searchable: `${label} ${words}`,
  });
  return [
    ...(mayAddEmoji(state) ? [action("/emoji", t("emoji.add"), t("emoji.addKeywords"))] : []),
    ...(state.is_admin
      ? [
          action("/linkifiers", t("linkifiers.add"), t("linkifiers.addKeywords")),
          action("/playgrounds", t("playgrounds.add"), t("playgrounds.addKeywords")),
          action("/profile-fields", t("profileFields.add"), t("profileFields.addKeywords")),
        ]
      : []),
  ];
}

const item = (
  fields: Pick<PaletteItem, "key" | "label" | "kind" | "icon" | "to" | "search">,
  more = "",
): PaletteItem => ({ ...fields, isPage: false, searchable: `${fields.label} ${fields.kind} ${more}` });

const emoji = (state: State, t: TFunction): PaletteItem[] =>
  Object.values(state.realm_emoji ?? {})
    .sort((a, b) => Number(a.deactivated) - Number(b.deactivated) || a.name.localeCompare(b.name))
    .map(({ id, name, deactivated }) =>
      item({
        key: `emoji ${id}`,
        label: `:${name}:`,
        kind: t(deactivated ? "shell.kinds.deactivatedEmoji" : "shell.kinds.emoji"),
        icon: Smile,
        to: "/emoji",
        search: { open: String(id), ...(deactivated && { status: "deactivated" }) },
      }),
    );

const linkifiers = (state: State, t: TFunction): PaletteItem[] =>
  (state.realm_linkifiers ?? []).map(({ id, pattern, url_template }) =>
    item(
      {
        key: `linkifier ${id}`,
        label: pattern,
        kind: t("shell.kinds.linkifier"),
        icon: Link2,
        to: "/linkifiers",
        search: { open: String(id) },
      },
      url_template,
    ),
  );

const playgrounds = (state: State, t: TFunction): PaletteItem[] =>
  (state.realm_playgrounds ?? []).map(({ id, name, pygments_language }) =>
    item(
      {
        key: `playground ${id}`,
        label: name,
        kind: t("shell.kinds.playground"),
        icon: Play,
        to: "/playgrounds",
        search: { open: String(id) },
      },
      pygments_language,
    ),
  );

const profileFields = (state: State, t: TFunction): PaletteItem[] =>
  (state.custom_profile_fields ?? []).map(({ id, name, hint }) =>
    item(
      {
        key: `profile field ${id}`,
        label: name,
        kind: t("shell.kinds.profileField"),
        icon: IdCard,
        to: "/profile-fields",
        search: { open: String(id) },
      },
      hint,
    ),
  );
