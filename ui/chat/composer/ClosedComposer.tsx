import { useTranslation } from "react-i18next";
import type { Closed } from "../model/permissions.ts";
import classes from "./Composer.module.css";

/** In place of the composer where nothing can be sent: says why, unless that is said above, and shows what was typed. */
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
