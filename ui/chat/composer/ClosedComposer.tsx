import { useTranslation } from "react-i18next";
import type { Closed } from "../model/permissions.ts";
import classes from "./Composer.module.css";

/** In place of the composer where nothing can be sent: says why, and shows what was typed before that. */
export function ClosedComposer({ reason, text }: { reason: Closed; text: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.closed}>
      <p role="status">{t(`writing.closed.${reason}`)}</p>
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
