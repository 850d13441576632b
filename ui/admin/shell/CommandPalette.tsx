import { Text, useMantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { Palette } from "../../parts/Palette.tsx";
import { useSettingTables } from "../../parts/settings/setting-tables.ts";
import { useAdmin } from "../admin-context.ts";
import { navigationFor } from "../navigation.ts";
import { useOpenChat } from "../parts/use-open-chat.ts";
import { closePalette } from "./palette.ts";
import type { PaletteItem } from "./palette-item.ts";
import { itemsFor, paletteItems } from "./palette-items.ts";
import { windowItems } from "./window-items.ts";

/** More results would be too many to read; a longer query narrows them down. */
const MAX_SHOWN = 12;

export function CommandPalette() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { session, organization, onSignOut } = useAdmin();
  const openChat = useOpenChat();
  const { setColorScheme } = useMantineColorScheme();
  const state = useStore(organization.state, (value) => value);
  const tables = useSettingTables();
  const [query, setQuery] = useState("");
  const items = useMemo(
    () => [
      ...paletteItems(navigationFor(session), state ?? {}, t, tables),
      // In the desktop app, no one is signed in.
      ...windowItems({ setColorScheme, openChat: () => openChat("/"), ...(!session.at_desktop && { onSignOut }) }, t),
    ],
    [session, state, tables, t, setColorScheme, openChat, onSignOut],
  );
  const found = useMemo(() => itemsFor(items, query).slice(0, MAX_SHOWN), [items, query]);
  const open = ({ run, to, search }: PaletteItem) => {
    closePalette();
    if (run) run();
    else void navigate({ to, search });
  };
  return (
    <Palette
      title={t("shell.search")}
      placeholder={t("shell.paletteHint")}
      typed={query}
      onType={setQuery}
      empty={t("shell.paletteEmpty")}
      onClose={closePalette}
      options={found.map((item) => ({
        key: item.key,
        icon: <item.icon size="1.0625rem" />,
        label: <bdi>{item.label}</bdi>,
        description: (
          <Text span size="xs" c="dimmed">
            {item.kind}
          </Text>
        ),
        run: () => open(item),
      }))}
    />
  );
}
