import type { MantineColorScheme } from "@mantine/core";
import type { TFunction } from "i18next";
import { LogOut, type LucideIcon, MessagesSquare, Monitor, Moon, Sun } from "lucide-react";
import type { PaletteItem } from "./palette-item.ts";

export interface WindowActions {
  setColorScheme(scheme: MantineColorScheme): void;
  openChat(): void;
  /** Undefined in the desktop app, where no one is signed in. */
  onSignOut?(): void;
}

const SCHEMES = [
  ["dark", Moon],
  ["light", Sun],
  ["auto", Monitor],
] as const satisfies [MantineColorScheme, LucideIcon][];

export function windowItems({ setColorScheme, openChat, onSignOut }: WindowActions, t: TFunction): PaletteItem[] {
  const item = (key: string, label: string, icon: LucideIcon, words: string, run: () => void): PaletteItem => ({
    key,
    label,
    kind: t("shell.action"),
    icon,
    to: "/",
    search: {},
    isPage: false,
    searchable: `${label} ${words}`,
    run,
  });
  return [
    item("open chat", t("shell.openChat"), MessagesSquare, t("shell.openChatKeywords"), openChat),
    ...SCHEMES.map(([scheme, icon]) =>
      item(`scheme ${scheme}`, `${t("scheme.label")}: ${t(`scheme.${scheme}`)}`, icon, t("scheme.labelKeywords"), () =>
        setColorScheme(scheme),
      ),
    ),
    ...(onSignOut ? [item("sign out", t("topBar.signOut"), LogOut, t("topBar.signOutKeywords"), onSignOut)] : []),
  ];
}
