import type { TFunction } from "i18next";
import { Bot, Plus } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { allowedKinds } from "../pages/bots/allowed-kinds.ts";
import type { PaletteItem } from "./palette-item.ts";

export function botItems(state: State, t: TFunction): PaletteItem[] {
  const create = t("bots.create");
  const bots = [...(state.realm_bots ?? [])].sort((a, b) => a.full_name.localeCompare(b.full_name));
  const action: PaletteItem = {
    key: "create bot",
    label: create,
    kind: t("bots.palette.action"),
    icon: Plus,
    to: "/bots",
    search: { create: "bot" },
    isPage: false,
    searchable: `${create} ${t("bots.createKeywords")}`,
  };
  return [
    ...(allowedKinds(state).length > 0 ? [action] : []),
    ...bots.map(
      ({ user_id, full_name, email, is_active }): PaletteItem => ({
        key: `bot ${user_id}`,
        label: full_name,
        kind: t(is_active ? "bots.palette.bot" : "bots.palette.deactivatedBot"),
        icon: Bot,
        to: "/bots",
        search: { open: String(user_id) },
        isPage: false,
        sign: "@",
        searchable: `${full_name} ${email}`,
      }),
    ),
  ];
}
