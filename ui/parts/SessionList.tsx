import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { WireSession } from "../../server/api/presenters/sessions.ts";
import { RelativeTime } from "./RelativeTime.tsx";
import classes from "./SessionList.module.css";

export interface SessionListProps {
  label: string;
  sessions: readonly WireSession[];
  /** Signs that browser out. */
  onEnd(session: WireSession): void;
}

/** The browsers in which somebody is signed in, newest first, each with a button that signs it out. */
export function SessionList({ label, sessions, onEnd }: SessionListProps) {
  const { t } = useTranslation();
  const nameOf = ({ browser, system }: WireSession) => {
    if (browser && system) return t("sessions.of", { browser, system });
    return browser || system || t("sessions.unknown");
  };
  return (
    <ul className={classes.list} aria-label={label}>
      {sessions.map((session) => (
        <li key={session.id}>
          <span>
            <span className={classes.name}>{nameOf(session)}</span>
            <span className={classes.since}>
              {t("sessions.since")} <RelativeTime at={session.created_at} />
            </span>
          </span>
          {session.is_current ? (
            <span className={classes.current}>{t("sessions.current")}</span>
          ) : (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-label={t("sessions.endNamed", { name: nameOf(session) })}
              onClick={() => onEnd(session)}
            >
              {t("sessions.end")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
