import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { timeOrDay } from "../../parts/format.ts";
import { useAdmin, useOrganization } from "../admin-context.ts";
import classes from "./OrganizationHeader.module.css";
import { useServerStatus } from "./use-server-status.ts";

export function OrganizationHeader() {
  const { t } = useTranslation();
  const { server } = useAdmin();
  const name = useOrganization(({ realm_name }) => realm_name ?? "");
  const startedAt = useStore(server.followed, ({ state, clockAhead }) => state && state.started_at - clockAhead);
  const picture = useStore(server.followed, ({ state }) => state?.organization.picture_url);
  const icon = useOrganization(({ realm_icon_url }) => realm_icon_url ?? picture ?? "");
  const status = useServerStatus();
  const statusText =
    status === "running" && startedAt !== undefined
      ? t("topBar.runningSince", { time: timeOrDay(startedAt, Date.now()) })
      : t(`topBar.${status}`);
  return (
    <div className={classes.header}>
      <img className={classes.picture} src={icon} alt="" width={36} height={36} />
      <div className={classes.names}>
        <h1 className={classes.name}>
          <bdi>{name}</bdi>
        </h1>
        <p className={classes.status} data-status={status} role="status" aria-label={t("topBar.state")}>
          <span className={classes.dot} aria-hidden="true" />
          {statusText}
        </p>
      </div>
    </div>
  );
}
