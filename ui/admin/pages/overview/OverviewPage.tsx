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
import { serverStatus } from "./server-status.ts";
import { TopBar } from "./TopBar.tsx";
import { useChecklist } from "./use-checklist.ts";
import { useOrganizationState } from "./use-organization-state.ts";
import { useServerState } from "./use-server-state.ts";

export interface OverviewPageProps {
  session: Session;
  desktop: Desktop | undefined;
  processState: ServerState | undefined;
  onSessionLost(): void;
  /** The server is starting, or runs on a folder without an organization. */
  onNotReady(): void;
  onSignOut(): void;
}

export function OverviewPage(props: OverviewPageProps) {
  const { session, desktop, processState, onSessionLost, onNotReady, onSignOut } = props;
  const { t } = useTranslation();
  const { serverState, clockAhead, error, tryNow } = useServerState({ onForbidden: onSessionLost, onNotReady });
  const organizationState = useOrganizationState();
  const main = useRef<HTMLElement>(null);
  const checklist = useChecklist(serverState, () => main.current?.focus({ preventScroll: true }));
  const organizationName = organizationState?.realm_name ?? serverState?.organization.name;

  useEffect(() => {
    document.title = organizationName ? t("app.overviewTitle", { organization: organizationName }) : t("app.title");
  }, [organizationName, t]);

  const isLoaded = serverState !== undefined && organizationName !== undefined;
  useEffect(() => {
    // The form that led here has disappeared and taken the focus with it.
    if (isLoaded && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [isLoaded]);

  const status = serverStatus({ processState, error, hasState: serverState !== undefined });
  if (!serverState || organizationName === undefined)
    return (
      <>
        <StateBanner status={status} since={error?.since} serverState={undefined} onTryNow={tryNow} />
        <PageLoader />
      </>
    );
  const isStale = status !== "running";
  return (
    <div className={classes.page}>
      <TopBar
        organizationName={organizationName}
        pictureUrl={serverState.organization.picture_url}
        status={status}
        startedAt={serverState.started_at - clockAhead}
        onSignOut={session.at_desktop ? undefined : onSignOut}
      />
      <StateBanner status={status} since={error?.since} serverState={serverState} onTryNow={tryNow} />
      <main className={classes.main} ref={main} tabIndex={-1} data-stale={isStale} data-checklist={checklist.isShown}>
        <Connect network={serverState.network} dataFolder={serverState.storage.data_folder} desktop={desktop} />
        {checklist.isShown && (
          <Checklist
            checklist={checklist}
            serverState={serverState}
            desktop={desktop}
            organizationState={organizationState}
          />
        )}
        <div className={classes.column}>
          <div className={classes.messages}>
            <Messages
              messages={serverState.messages}
              total={serverState.organization.messages}
              clockAhead={clockAhead}
            />
          </div>
          <div className={classes.audit}>
            <Audit entries={serverState.audit} clockAhead={clockAhead} />
          </div>
        </div>
        <div className={classes.column}>
          <Online online={serverState.online} />
          <div className={classes.health}>
            <Health serverState={serverState} clockAhead={clockAhead} desktop={desktop} />
          </div>
        </div>
      </main>
    </div>
  );
}
