import { Button } from "@mantine/core";
import { LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ColorSchemeSwitch } from "../../../parts/ColorSchemeSwitch.tsx";
import { timeOrDay } from "../../../parts/format.ts";
import type { ServerStatus } from "./server-status.ts";
import classes from "./TopBar.module.css";

export interface TopBarProps {
  organizationName: string;
  pictureUrl: string;
  status: ServerStatus;
  startedAt: number;
  /** Undefined at the desktop, where nobody signs in. */
  onSignOut: (() => void) | undefined;
}

export function TopBar({ organizationName, pictureUrl, status, startedAt, onSignOut }: TopBarProps) {
  const { t } = useTranslation();
  const statusText =
    status === "running" ? t("topBar.runningSince", { time: timeOrDay(startedAt, Date.now()) }) : t(`topBar.${status}`);
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <img className={classes.picture} src={pictureUrl} alt="" width={40} height={40} />
        <div className={classes.names}>
          <h1 className={classes.name}>
            <bdi>{organizationName}</bdi>
          </h1>
          <p className={classes.status} data-status={status} role="status" aria-label={t("topBar.state")}>
            <span className={classes.dot} aria-hidden="true" />
            {statusText}
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
              aria-label={t("topBar.signOut")}
            >
              <LogOut size="1.0625rem" aria-hidden="true" />
              <span>{t("topBar.signOut")}</span>
            </Button>
          )}
        </div>
      </div>
    </header>
  );
}
