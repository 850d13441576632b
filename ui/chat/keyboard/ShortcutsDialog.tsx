import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import classes from "./ShortcutsDialog.module.css";
import { GROUPS, SHORTCUTS } from "./shortcuts.ts";

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
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("shortcuts.title")} onClose={onClose}>
      <div className={classes.groups}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3 className={classes.title}>{t(`shortcuts.groups.${group}`)}</h3>
            <dl className={classes.list}>
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ action, keys }) => (
                <div key={action}>
                  <dt>{t(`shortcuts.actions.${action}`)}</dt>
                  <dd>
                    {keys.slice(0, 2).map((key) => (
                      <Keys key={key} combination={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={classes.hint}>{t("shortcuts.hint")}</p>
    </Dialog>
  );
}

/** `Ctrl+k` or `N` as the keys that one presses. */
function Keys({ combination }: { combination: string }) {
  const { t } = useTranslation();
  const [, modifier, key = ""] = /^(Ctrl\+)?(.+)$/s.exec(combination) ?? [];
  const isShifted = /^[A-Z]$/.test(key);
  const shown = key === " " ? t("shortcuts.space") : (SYMBOLS[key] ?? key.toUpperCase());
  return (
    <span className={classes.keys}>
      {modifier && <kbd>{isMac ? "⌘" : t("shortcuts.ctrl")}</kbd>}
      {isShifted && <kbd>{isMac ? "⇧" : t("shortcuts.shift")}</kbd>}
      <kbd>{key.length > 1 && !SYMBOLS[key] ? key : shown}</kbd>
    </span>
  );
}
