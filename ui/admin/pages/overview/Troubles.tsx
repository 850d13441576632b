import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { useAdmin } from "../../admin-context.ts";
import { PageLink } from "../../parts/PageLink.tsx";
import { useUpdates } from "../updates/use-updates.ts";
import classes from "./Troubles.module.css";

/** What somebody has to look after, first of all, with the page where that is done. What is urgent stands above it. */
export function Troubles({ serverState: { deliveries, host } }: { serverState: ServerState }) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const { state: updates } = useUpdates(desktop);
  const { failed } = deliveries;
  const backups = host?.backups;
  const newer = updates?.found?.version;
  if (failed === 0 && !backups?.failure && !backups?.is_old && newer === undefined) return null;
  return (
    <section className={classes.troubles} aria-label={t("troubles.title")}>
      {failed > 0 && (
        <Callout
          tone="warning"
          action={
            <PageLink to="/webhooks" search={{ state: "failed" }}>
              {t("troubles.showDeliveries")}
            </PageLink>
          }
        >
          {t("troubles.deliveries", { count: failed })}
        </Callout>
      )}
      {(backups?.failure || backups?.is_old) && (
        <Callout tone="warning" action={<PageLink to="/backups">{t("backupHealth.open")}</PageLink>}>
          {backups.failure ? t("troubles.backup", { reason: backups.failure.reason }) : t("troubles.noBackup")}
        </Callout>
      )}
      {newer !== undefined && (
        <Callout tone="info" action={<PageLink to="/updates">{t("troubles.showUpdate")}</PageLink>}>
          {t("troubles.update", { version: newer })}
        </Callout>
      )}
    </section>
  );
}
