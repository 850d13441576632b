import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { KeyList } from "../../parts/KeyList.tsx";
import { GROUPS, SHORTCUTS } from "../keyboard/shortcuts.ts";
import classes from "./Help.module.css";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const SYMBOLS: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  Escape: "Esc",
  PageUp: "PgUp",
  PageDown: "PgDn",
};

/** Every key of the page, by what it is for. */
export function Keys() {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.groups}>
        {GROUPS.map((group) => (
          <KeyList
            key={group}
            title={t(`shortcuts.groups.${group}`)}
            keys={[
              ...SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ action, keys }) => ({
                what: t(`shortcuts.actions.${action}`),
                combinations: keys.slice(0, 2).map((key) => namesIn(key, t)),
              })),
              // Where the notices are listens for it: ui/parts/settings/NoticeArea.tsx.
              ...(group === "reading" ? [{ what: t("shortcuts.undo"), combinations: [namesIn("Ctrl+z", t)] }] : []),
            ]}
          />
        ))}
      </div>
      <p className={classes.hint}>{t("shortcuts.hint")}</p>
    </>
  );
}

/** `Ctrl+k` or `N` as the keys that one presses. */
function namesIn(combination: string, t: TFunction): string[] {
  const [, modifier, key = ""] = /^(Ctrl\+)?(.+)$/s.exec(combination) ?? [];
  const isShifted = /^[A-Z]$/.test(key);
  const shown = key === " " ? t("shortcuts.space") : (SYMBOLS[key] ?? key.toUpperCase());
  return [
    ...(modifier ? [isMac ? "⌘" : t("shortcuts.ctrl")] : []),
    ...(isShifted ? [isMac ? "⇧" : t("shortcuts.shift")] : []),
    key.length > 1 && !SYMBOLS[key] ? key : shown,
  ];
}
