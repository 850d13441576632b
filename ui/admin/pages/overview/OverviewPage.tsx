import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../../api/store.ts";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { adminPart } from "../../admin-part.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { InvitePeople } from "../invitations/InvitePeople.tsx";
import { AddPersonButton } from "./AddPersonButton.tsx";
import { Audit } from "./Audit.tsx";
import { Checklist } from "./Checklist.tsx";
import { Connect } from "./Connect.tsx";
import { Headcount } from "./Headcount.tsx";
import { Health } from "./Health.tsx";
import { Messages } from "./Messages.tsx";
import { Online } from "./Online.tsx";
import classes from "./OverviewPage.module.css";
import { Problems } from "./Problems.tsx";
import { useChecklist } from "./use-checklist.ts";

const HttpsProposal = adminPart(() => import("./HttpsProposal.tsx").then((all) => ({ default: all.HttpsProposal })));

export function OverviewPage() {
  const { t } = useTranslation();
  const { desktop, server } = useAdmin();
  const { state: serverState, clockAhead } = useStore(server.followed, (followed) => followed);
  const organizationName = useOrganization(({ realm_name }) => realm_name ?? "");
  const checklist = useChecklist(serverState, () => document.getElementById("content")?.focus({ preventScroll: true }));

  useEffect(() => {
    document.title = t("app.overviewTitle", { organization: organizationName });
  }, [organizationName, t]);

  if (!serverState) return <PageSkeleton />;
  const { links, people } = serverState.invitations;
  return (
    <div className={classes.page} data-checklist={checklist.isShown}>
      <Problems serverState={serverState} />
      <Connect
        network={serverState.network}
        dataFolder={serverState.host?.storage.data_folder}
        desktop={desktop}
        isBrief={serverState.organization.people_wrote && !checklist.isShown}
      />
      {checklist.isHttpsProposed && <HttpsProposal onDismiss={checklist.dismissHttps} />}
      {checklist.isShown && <Checklist checklist={checklist} serverState={serverState} desktop={desktop} />}
      <PageSection
        level={2}
        title={t("invitations.title")}
        aside={[
          links > 0 && t("invitations.links", { count: links }),
          people > 0 && t("invitations.people", { count: people }),
        ]
          .filter(Boolean)
          .join(", ")}
      >
        <InvitePeople clockAhead={clockAhead}>
          <AddPersonButton />
        </InvitePeople>
      </PageSection>
      <div className={classes.column}>
        <div className={classes.messages}>
          <Messages messages={serverState.messages} total={serverState.organization.messages} clockAhead={clockAhead} />
        </div>
        {serverState.host && (
          <div className={classes.audit}>
            <Audit entries={serverState.host.audit} clockAhead={clockAhead} />
          </div>
        )}
      </div>
      <div className={classes.column}>
        <Online online={serverState.online} />
        <Headcount organization={serverState.organization} clockAhead={clockAhead} />
        <div className={classes.health}>
          <Health serverState={serverState} clockAhead={clockAhead} desktop={desktop} />
        </div>
      </div>
    </div>
  );
}
