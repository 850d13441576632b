import { useTranslation } from "react-i18next";
import type { LastUpdate } from "../../../main/bridge-types.ts";
import classes from "./WayBack.module.css";

/** How to go back to the version before, as long as it is kept. */
export function WayBack({ last: { from, to, kept, backup } }: { last: LastUpdate }) {
  const { t } = useTranslation();
  return (
    <div className={classes.wayBack}>
      <p>{t("wayBack.lead", { from, to })}</p>
      <ol>
        <li>{t("wayBack.quit", { to })}</li>
        <li>
          {t("wayBack.start", { from })} <code>{kept}</code>
        </li>
        <li>
          {backup === null ? t("wayBack.empty") : t("wayBack.restore")} {backup !== null && <code>{backup}</code>}
        </li>
      </ol>
    </div>
  );
}
