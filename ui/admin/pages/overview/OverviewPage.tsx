import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop, ServerState } from "../../../../main/bridge-types.ts";
import type { Session } from "../../../api/session.ts";
import { PageLoader } from "../../../parts/PageLoader.tsx";
import { Audit } from "./Audit.tsx";
import { Checklist } from "./Checklist.tsx";
import { Connect } from "./Connect.tsx";
import { Health } from "./Health.tsx";
import { Messages } from "./Messages.tsx";
import { Online } from "./Online.tsx";
import classes from "./OverviewPage.module.css";
import { StateBanner } from "./StateBanner.tsx";
import { serverCondition } from "./server-condition.ts";
import { TopBar } from "./TopBar.tsx";
import { useLive } from "./use-live.ts";
import { useServerState } from "./use-server-state.ts";
import { useSteps } from "./use-steps.ts";

export interface OverviewPageProps {
  session: Session;
  desktop: Desktop | undefined;
  serverState: ServerState | undefined;
  onSessionLost(): void;
  /** The server is starting, or has been started over a folder without an organization. */
  onNotReady(): void;
  onSignOut(): void;
}

export function OverviewPage(props: OverviewPageProps) {
  const { session, desktop, serverState, onSessionLost, onNotReady, onSignOut } = props;
  const { t } = useTranslation();
  const { host, clockAhead, trouble, tryNow } = useServerState({ onForbidden: onSessionLost, onNotReady });
  const live = useLive();
  const main = useRef<HTMLElement>(null);
  const steps = useSteps(host, () => main.current?.focus({ preventScroll: true }));
  const realmName = live?.["realm_name"];
  const organization = typeof realmName === "string" ? realmName : host?.organization.name;

  useEffect(() => {
    document.title = organization ? t("app.overviewTitle", { organization }) : t("app.title");
  }, [organization, t]);

  const isKnown = host !== undefined && organization !== undefined;
  useEffect(() => {
    // The form that led here is gone, and with it the focus that it had.
    if (isKnown && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [isKnown]);

  const condition = serverCondition({ serverState, trouble, isKnown: host !== undefined });
  if (!host || organization === undefined)
    return (
      <>
        <StateBanner condition={condition} since={trouble?.since} host={undefined} onTryNow={tryNow} />
        <PageLoader />
      </>
    );
  const isStale = condition !== "running";
  return (
    <div className={classes.page}>
      <TopBar
        organization={organization}
        pictureUrl={host.organization.picture_url}
        condition={condition}
        startedAt={host.started_at - clockAhead}
        onSignOut={session.at_desktop ? undefined : onSignOut}
      />
      <StateBanner condition={condition} since={trouble?.since} host={host} onTryNow={tryNow} />
      <main className={classes.main} ref={main} tabIndex={-1} data-stale={isStale} data-steps={steps.isShown}>
        <Connect network={host.network} dataFolder={host.storage.data_folder} desktop={desktop} />
        {steps.isShown && <Checklist steps={steps} host={host} desktop={desktop} live={live} />}
        <div className={classes.column}>
          <div className={classes.messages}>
            <Messages messages={host.messages} total={host.organization.messages} clockAhead={clockAhead} />
          </div>
          <div className={classes.audit}>
            <Audit entries={host.audit} clockAhead={clockAhead} />
          </div>
        </div>
        <div className={classes.column}>
          <Online online={host.online} />
          <div className={classes.health}>
            <Health host={host} clockAhead={clockAhead} desktop={desktop} />
          </div>
        </div>
      </main>
    </div>
  );
}
