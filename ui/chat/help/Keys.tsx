import { Stack } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { IS_MAC } from "../../parts/is-mac.ts";
import { KeyList } from "../../parts/KeyList.tsx";
import { SHORTCUT_GROUPS } from "../actions/action.ts";
import { KEYED_ACTIONS } from "../actions/shortcuts.ts";
import classes from "./Help.module.css";

const SYMBOLS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  Escape: "Esc",
  PageUp: "PgUp",
  PageDown: "PgDn",
};

export function Keys() {
  const { t } = useTranslation();
  const keysOf = (group: string) =>
    KEYED_ACTIONS.flatMap(({ action: { label, shortcut } }) =>
      shortcut?.group === group
        ? [
            {
              what: (shortcut.help ?? label)(t),
              combinations: shortcut.keys.slice(0, 2).map((key) => namesIn(key, t)),
            },
          ]
        : [],
    );
  return (
    <>
      <Stack gap="lg">
        {SHORTCUT_GROUPS.map((group) => (
          <KeyList
            key={group}
            title={t(`shortcuts.groups.${group}`)}
            keys={[
              ...keysOf(group),
              // ui/parts/settings/NoticeArea.tsx listens for it.
              ...(group === "reading" ? [{ what: t("shortcuts.undo"), combinations: [namesIn("Ctrl+z", t)] }] : []),
            ]}
          />
        ))}
      </Stack>
      <p className={classes.hint}>{t("shortcuts.hint")}</p>
    </>
  );
}

/** The names of the keys in a combination such as `Ctrl+k` or `N`. */
function namesIn(combination: string, t: TFunction): string[] {
  const [, modifier, key = ""] = /^(Ctrl\+)?(.+)$/s.exec(combination) ?? [];
  const isShifted = /^[A-Z]$/.test(key);
  const shown = key === " " ? t("shortcuts.space") : (SYMBOLS[key] ?? key.toUpperCase());
  return [
    ...(modifier ? [IS_MAC ? "⌘" : t("shortcuts.ctrl")] : []),
    ...(isShifted ? [IS_MAC ? "⇧" : t("shortcuts.shift")] : []),
    key.length > 1 && !SYMBOLS[key] ? key : shown,
  ];
}
