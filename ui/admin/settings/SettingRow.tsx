import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useTarget } from "../parts/use-target.ts";
import classes from "./SettingRow.module.css";

export interface SettingRowProps {
  name: string;
  isChanged: boolean;
  /** Undefined where this person may not change it. */
  onReset: (() => void) | undefined;
  ownersOnly: boolean;
  /** The address leads to this setting. */
  isTarget: boolean;
  children: ReactNode;
}

/** A setting in a list, marked where it has another value than in a new organization. */
export function SettingRow({ name, isChanged, onReset, ownersOnly, isTarget, children }: SettingRowProps) {
  const { t } = useTranslation();
  const row = useTarget<HTMLDivElement>(isTarget);
  return (
    <div className={classes.row} ref={row} data-changed={isChanged}>
      <div className={classes.control}>{children}</div>
      <div className={classes.notes}>
        {isChanged && <span className={classes.changed}>{t("settings.changed")}</span>}
        {isChanged && onReset && (
          <button type="button" onClick={onReset} aria-label={t("settings.resetNamed", { name })}>
            {t("settings.reset")}
          </button>
        )}
        {ownersOnly && <span>{t("settings.ownersOnly")}</span>}
      </div>
    </div>
  );
}
