import { useTranslation } from "react-i18next";
import type { Closed } from "../model/permissions.ts";
import classes from "./Composer.module.css";

/** Replaces the composer if the user cannot send messages here. Shows the reason and the unsent text. */
export function ClosedComposer({ reason, text }: { reason: Closed | undefined; text: string }) {
  const { t } = useTranslation();
  if (reason === undefined && text.trim() === "") return null;
  return (
    <div className={classes.closed}>
      {reason && <p role="status">{t(`writing.closed.${reason}`)}</p>}
      {text.trim() !== "" && (
        <>
          <p>{t("writing.closed.written")}</p>
          <p className={classes.written} dir="auto">
            {text}
          </p>
        </>
      )}
    </div>
  );
}
