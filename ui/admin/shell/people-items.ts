import type { TFunction } from "i18next";
import { type LucideIcon, Mail, UserPlus, UserRound, UsersRound } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { mayInvite } from "../../parts/allowed-invitations.ts";
import { roleName } from "../../parts/settings/roles.ts";
import { includesSelf } from "../pages/groups/use-groups.ts";
import type { PaletteItem } from "./palette-item.ts";

export const peopleItems = (state: State, t: TFunction): PaletteItem[] => [
  ...actions(state, t),
  ...people(state, t),
  ...groups(state, t),
];

function actions(state: State, t: TFunction): PaletteItem[] {
  const action = (
    label: string,
    icon: LucideIcon,
    to: PaletteItem["to"],
    task: string,
    words: string,
  ): PaletteItem => ({
    key: `${to} ${task}`,
    label,
    kind: t("shell.action"),
    icon,
    to,
    search: { do: task },
    isPage: true,
    searchable: `${label} ${words}`,
  });
  return [
    ...(mayInvite(state)
      ? [action(t("invitations.action"), Mail, "/invitations", "invite", t("invitations.actionKeywords"))]
      : []),
    ...(state.is_admin ? [action(t("people.add"), UserPlus, "/people", "add", t("people.addKeywords"))] : []),
    ...(includesSelf(state, state.realm_can_create_groups)
      ? [action(t("groups.create"), UsersRound, "/groups", "create", t("groups.createKeywords"))]
      : []),
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
        sign: "@",
        searchable: `${full_name} ${delivery_email ?? ""}`,
      }),
    )
    .sort((a, b) => a.label.localeCompare(b.label));

const groups = ({ realm_user_groups = [] }: State, t: TFunction): PaletteItem[] =>
  realm_user_groups
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .map(
      ({ id, name, description }): PaletteItem => ({
        key: `group ${id}`,
        label: name,
        kind: t("people.group"),
        icon: UsersRound,
        to: "/groups",
        search: { open: String(id) },
        isPage: false,
        sign: "@",
        searchable: `${name} ${description}`,
      }),
    )
    .sort((a, b) => a.label.localeCompare(b.label));
