import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Desktop, ServerProblem } from "../../../../main/bridge-types.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
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
  return (
    <AuthLayout
      title={t(isRestarting ? "problem.failing" : "problem.ended")}
      lead={t(isRestarting ? "problem.failingLead" : "problem.endedLead", { count: problem.failures })}
      takesFocus
    >
      <h2 className={classes.heading}>{t("problem.reason")}</h2>
      <p className={classes.reason}>{problem.reason}</p>
      {/* What has ended may have ended because its data folder was deleted. */}
      {isRestarting && <p className={classes.hint}>{t("problem.safe")}</p>}
      <p className={classes.hint}>{t("problem.report")}</p>
      <Group gap="sm" mt="lg">
        {isRestarting && <Button onClick={() => void desktop.startAgain()}>{t("problem.again")}</Button>}
        <Button variant="default" onClick={() => void desktop.showDataFolder()}>
          {t("problem.folder")}
        </Button>
        <Button variant="default" onClick={() => void desktop.quit()}>
          {t("problem.quit")}
        </Button>
      </Group>
    </AuthLayout>
  );
}
