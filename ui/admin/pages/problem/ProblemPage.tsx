import { Button, Group } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop, LastUpdate, ServerProblem } from "../../../../main/bridge-types.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { WayBack } from "../../parts/WayBack.tsx";
import classes from "./ProblemPage.module.css";

export interface ProblemPageProps {
  desktop: Desktop;
  problem: ServerProblem;
  /** Whether the server is started again by itself. */
  isRestarting: boolean;
}

/** A server that keeps failing: what happened, that nothing is lost, and what one can do. */
export function ProblemPage({ desktop, problem, isRestarting }: ProblemPageProps) {
  const { t } = useTranslation();
  const last = useUnanswered(desktop);
  return (
    <AuthLayout
      title={t(isRestarting ? "problem.failing" : "problem.ended")}
      lead={t(isRestarting ? "problem.failingLead" : "problem.endedLead", { count: problem.failures })}
      takesFocus
    >
      <h2 className={classes.heading}>{t("problem.reason")}</h2>
      <p className={classes.reason}>{errorMessage(new Error(problem.reason))}</p>
      {isRestarting && !problem.isDataMissing && <p className={classes.hint}>{t("problem.safe")}</p>}
      {last && <WayBack last={last} />}
      {!problem.isDataMissing && <p className={classes.hint}>{t("problem.report")}</p>}
      <Group gap="sm" mt="lg">
        {isRestarting && <Button onClick={() => void desktop.startAgain()}>{t("problem.again")}</Button>}
        {!problem.isDataMissing && (
          <Button variant="default" onClick={() => void desktop.showDataFolder()}>
            {t("problem.folder")}
          </Button>
        )}
        <Button variant="default" onClick={() => void desktop.quit()}>
          {t("problem.quit")}
        </Button>
      </Group>
    </AuthLayout>
  );
}

/** An update whose new version has not answered yet. */
function useUnanswered(desktop: Desktop): LastUpdate | undefined {
  const [last, setLast] = useState<LastUpdate>();
  useEffect(() => {
    void desktop.updates().then((state) => {
      if (state.last?.outcome === "installing" && state.last.kept !== null) setLast(state.last);
    });
  }, [desktop]);
  return last;
}
