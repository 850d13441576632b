import { Button, Group, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop, LastUpdate, ServerProblem } from "../../../../main/bridge-types.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { WayBack } from "../../parts/WayBack.tsx";

export interface ProblemPageProps {
  desktop: Desktop;
  problem: ServerProblem;
  /** Whether the server restarts automatically. */
  isRestarting: boolean;
}

/** Shown while the server keeps failing: what happened, and what the user can do. */
export function ProblemPage({ desktop, problem, isRestarting }: ProblemPageProps) {
  const { t } = useTranslation();
  const last = useUnanswered(desktop);
  return (
    <AuthLayout
      title={t(isRestarting ? "problem.failing" : "problem.ended")}
      lead={t(isRestarting ? "problem.failingLead" : "problem.endedLead", { count: problem.failures })}
      takesFocus
    >
      <Title order={2} fz="sm" c="dimmed" mt="lg" mb="xs">
        {t("problem.reason")}
      </Title>
      <Text mb="md" ps="md" style={{ borderInlineStart: "2px solid var(--hearth-bad)", overflowWrap: "anywhere" }}>
        {problemInWords(problem.problem)}
      </Text>
      {isRestarting && !problem.isDataMissing && <Hint mb="xs">{t("problem.safe")}</Hint>}
      {last && <WayBack last={last} />}
      {!problem.isDataMissing && <Hint mb="xs">{t("problem.report")}</Hint>}
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

/** An update whose new version has not responded yet. */
function useUnanswered(desktop: Desktop): LastUpdate | undefined {
  const [last, setLast] = useState<LastUpdate>();
  useEffect(() => {
    void desktop.updates().then((state) => {
      if (state.last?.outcome === "installing" && state.last.kept !== null) setLast(state.last);
    });
  }, [desktop]);
  return last;
}
