import { Button } from "@mantine/core";
import { LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ColorSchemeSwitch } from "../../../parts/ColorSchemeSwitch.tsx";
import { timeOrDay } from "../../../parts/format.ts";
import type { Condition } from "./server-condition.ts";
import classes from "./TopBar.module.css";

export interface TopBarProps {
  organization: string;
  pictureUrl: string;
  condition: Condition;
  startedAt: number;
  /** Not at the desktop, where nobody has signed in. */
  onSignOut: (() => void) | undefined;
}

export function TopBar({ organization, pictureUrl, condition, startedAt, onSignOut }: TopBarProps) {
  const { t } = useTranslation();
  const words =
    condition === "running" ? t("bar.runningSince", { time: timeOrDay(startedAt, Date.now()) }) : t(`bar.${condition}`);
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <img className={classes.picture} src={pictureUrl} alt="" width={40} height={40} />
        <div className={classes.names}>
          <h1 className={classes.name}>
            <bdi>{organization}</bdi>
          </h1>
          <p className={classes.state} data-condition={condition} role="status" aria-label={t("bar.state")}>
            <span className={classes.dot} aria-hidden="true" />
            {words}
          </p>
        </div>
        <div className={classes.tools}>
          <ColorSchemeSwitch />
          {onSignOut && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-md"
              onClick={onSignOut}
              className={classes.signOut}
              aria-label={t("bar.signOut")}
            >
              <LogOut size="1.0625rem" aria-hidden="true" />
              <span>{t("bar.signOut")}</span>
            </Button>
          )}
        </div>
      </div>
    </header>
  );
}
