import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import { SwitchSetting } from "../../../parts/settings/settings.tsx";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";

const QUERY_KEY = ["service"];
const REFRESH_MS = 5000;

/** The service that runs the server without anybody signed in to the computer. */
export function StartBeforeSignIn({ desktop }: { desktop: Desktop }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: QUERY_KEY, queryFn: () => desktop.service(), refetchInterval: REFRESH_MS });
  if (!data) return <PageSkeleton />;
  const { installed, isRunning } = data;
  return (
    <PageSection title={t("computer.service")} description={t("computer.serviceLead")}>
      <SwitchSetting
        label={t("computer.startBeforeSignIn")}
        help={t(`computer.startBeforeSignInHelp.${desktop.platform}`)}
        value={installed !== null}
        save={async (on) => queries.setQueryData(QUERY_KEY, await desktop.setService({ on }))}
      />
      {installed && (
        <Facts labelWidth="10rem">
          <Fact label={t("computer.serviceState")}>
            <StatusText tone={isRunning ? "good" : "bad"}>
              {t(isRunning ? "computer.serviceRunning" : "computer.serviceStopped")}
            </StatusText>
          </Fact>
          <Fact label={t("computer.servicePlace")}>
            <bdi dir="ltr">{installed.place}</bdi>
          </Fact>
          <Fact label={t("computer.serviceLog")}>
            <bdi dir="ltr">{installed.log}</bdi>
          </Fact>
        </Facts>
      )}
    </PageSection>
  );
}
