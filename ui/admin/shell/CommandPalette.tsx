import "@mantine/spotlight/styles.layer.css";
import { useMantineColorScheme } from "@mantine/core";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { useSettingTables } from "../../parts/settings/setting-tables.ts";
import { useAdmin } from "../admin-context.ts";
import { navigationFor } from "../navigation.ts";
import classes from "./CommandPalette.module.css";
import { paletteRequests } from "./palette.ts";
import { itemsFor, paletteItems } from "./palette-items.ts";
import { windowItems } from "./window-items.ts";

/** More would not be read; a longer query narrows them down. */
const MAX_SHOWN = 12;

const [spotlight, { open, close }] = createSpotlight();

/** The shell may begin anew, for another role, long after the palette was asked for. */
let requestsServed = 0;

/** Opens pages, people, channels, groups and bots by a few letters of their names. */
export function CommandPalette() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { session, organization, onSignOut } = useAdmin();
  const { setColorScheme } = useMantineColorScheme();
  const state = useStore(organization.state, (value) => value);
  const tables = useSettingTables();
  const [query, setQuery] = useState("");
  const requests = useStore(paletteRequests, (count) => count);
  useEffect(() => {
    if (requests !== requestsServed) open();
    requestsServed = requests;
  }, [requests]);
  const items = useMemo(
    () => [
      ...paletteItems(navigationFor(session), state ?? {}, t, tables),
      // At the desktop, nobody is signed in to a browser here.
      ...windowItems({ setColorScheme, ...(!session.at_desktop && { onSignOut }) }, t),
    ],
    [session, state, tables, t, setColorScheme, onSignOut],
  );
  const found = useMemo(() => itemsFor(items, query).slice(0, MAX_SHOWN), [items, query]);
  // Mantine selects the first item as soon as the query changes, when what it found may not be in the page yet: then
  // Enter would open nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items were found
  useEffect(() => {
    const actions = [...document.querySelectorAll("[data-action]")];
    if (!actions.some((action) => action.hasAttribute("data-selected")))
      actions[0]?.setAttribute("data-selected", "true");
  }, [found]);
  return (
    <Spotlight.Root
      store={spotlight}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      clearQueryOnClose
      scrollable
      maxHeight="24rem"
      // A blur is drawn anew with each frame of the page behind.
      overlayProps={{ backgroundOpacity: 0.45 }}
      // In the middle, the field would move with each letter, as more or less is found.
      centered={false}
      classNames={{
        action: classes.action ?? "",
        actionSection: classes.picture ?? "",
        actionDescription: classes.description ?? "",
      }}
    >
      <Spotlight.Search
        placeholder={t("shell.paletteHint")}
        aria-label={t("shell.paletteHint")}
        leftSection={<Search size="1rem" aria-hidden="true" />}
      />
      <Spotlight.ActionsList>
        {found.map(({ key, label, kind, icon: Icon, to, search, run }) => (
          <Spotlight.Action
            key={key}
            label={label}
            description={kind}
            leftSection={<Icon size="1.125rem" aria-hidden="true" />}
            onClick={() => {
              if (run) run();
              else void navigate({ to, search });
              close();
            }}
          />
        ))}
        {found.length === 0 && <Spotlight.Empty>{t("shell.paletteEmpty")}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
