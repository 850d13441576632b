import type { TFunction } from "i18next";
import { UserPlus, UserRound } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { roleName } from "../parts/roles.ts";
import type { PaletteItem } from "./palette-items.ts";

/** What can be begun here, and the people that the palette opens by name or address. */
export const peopleItems = (state: State, t: TFunction): PaletteItem[] => [...actions(state, t), ...people(state, t)];

function actions({ is_admin }: State, t: TFunction): PaletteItem[] {
  if (!is_admin) return [];
  const label = t("people.add");
  return [
    {
      key: "add person",
      label,
      kind: t("shell.action"),
      icon: UserPlus,
      to: "/people",
      search: { do: "add" },
      isPage: true,
      searchable: label.toLowerCase(),
    },
  ];
}

const people = ({ realm_users = [] }: State, t: TFunction): PaletteItem[] =>
  realm_users
    .filter(({ is_bot }) => !is_bot)
    .map(
      ({ user_id, full_name, delivery_email, role }): PaletteItem => ({
        key: `person ${user_id}`,
        label: full_name,
        kind: roleName(role, t),
        icon: UserRound,
        to: "/people",
        search: { open: String(user_id) },
        isPage: false,
        searchable: `${full_name} ${delivery_email ?? ""}`.toLowerCase(),
      }),
    )
    .sort((a, b) => a.label.localeCompare(b.label));
