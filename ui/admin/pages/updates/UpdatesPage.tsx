import { Button, Group, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpdateState } from "../../../../main/bridge-types.ts";
import { causeInWords } from "../../../locales/i18n.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useAdmin } from "../../admin-context.ts";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText, type StatusTone } from "../../parts/StatusText.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { FoundVersion } from "./FoundVersion.tsx";
import { LastUpdate } from "./LastUpdate.tsx";
import { SourceDialog } from "./SourceDialog.tsx";
import { type FollowedUpdates, useUpdates } from "./use-updates.ts";

/** Finds, downloads and installs new versions. Only in the desktop app. */
export function UpdatesPage() {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const { state, ...followed } = useUpdates(desktop);
  return (
    <Page title={t("updates.title")} description={t("updates.lead")} width="narrow">
      {state ? (
        <>
          <ThisVersion state={state} {...followed} />
          {state.found && <FoundVersion state={state} found={state.found} {...followed} />}
          {state.last && <LastUpdate last={state.last} {...followed} />}
          <FromFile state={state} {...followed} />
          {state.installation !== null && <Source state={state} {...followed} />}
        </>
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

type PartProps = Omit<FollowedUpdates, "state"> & { state: UpdateState };

function ThisVersion({ state, isBusy, run }: PartProps) {
  const { t } = useTranslation();
  const { version, step, problem, checkedAt, source } = state;
  const { tone, key } = standing(state);
  return (
    <PageSection title={t("updates.this")}>
      <Group align="start" justify="space-between" gap="sm">
        <div>
          <Text size="lg" fw="var(--hearth-semibold)">
            <StatusText tone={tone}>{t("updates.version", { version })}</StatusText>
          </Text>
          <Hint>{t(`updates.standing.${key}`)}</Hint>
          {checkedAt !== null && (
            <Hint>
              {t("updates.checked")} <RelativeTime at={checkedAt} />
            </Hint>
          )}
        </div>
        {source.address !== null && state.installation !== null && (!isBusy || step === "checking") && (
          <BusyButton
            busy={step === "checking"}
            variant={state.found ? "default" : "filled"}
            onClick={() => void run((desktop) => desktop.checkForUpdate())}
          >
            {t("updates.check")}
          </BusyButton>
        )}
      </Group>
      {problem && (
        <Callout tone="error" role="alert">
          {t(`updates.problems.${problem.code}`, { detail: causeInWords(problem.detail ?? "") })}
        </Callout>
      )}
    </PageSection>
  );
}

/** The state of this version, as a key of `updates.standing`. */
function standing({ installation, step, found, source }: UpdateState) {
  const is = <Key extends string>(tone: StatusTone, key: Key) => ({ tone, key });
  if (installation === null) return is("quiet", "notInstalled");
  if (step === "checking") return is("quiet", "checking");
  if (found) return is("warning", "found");
  if (step === "current") return is("good", "current");
  return source.address === null ? is("quiet", "off") : is("quiet", "unknown");
}

function FromFile({ state, isBusy, run }: PartProps) {
  const { t } = useTranslation();
  const isChecking = state.step === "checking";
  if (state.installation === null || (isBusy && !isChecking)) return null;
  return (
    <PageSection title={t("updates.file")} description={t("updates.fileLead")}>
      <Paper withBorder p="lg" style={{ borderStyle: "dashed" }}>
        <Group justify="space-between" gap="sm">
          <Hint>{t("updates.drop")}</Hint>
          <BusyButton
            busy={isChecking}
            variant="default"
            size="sm"
            onClick={() => void run((desktop) => desktop.chooseInstallerFile())}
          >
            {t("updates.choose")}
          </BusyButton>
        </Group>
      </Paper>
    </PageSection>
  );
}

function Source({ state: { source }, isBusy, run }: PartProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <PageSection title={t("updates.source")} description={t("updates.sourceLead")}>
      <Group align="start" justify="space-between" gap="sm">
        <Facts flex="1 1 18rem" miw={0}>
          <Fact label={t("updates.address")}>{source.address ?? t("updates.noAddress")}</Fact>
          <Fact label={t("updates.key")}>{source.key ?? t("updates.noKey")}</Fact>
        </Facts>
        <Button variant="default" size="sm" disabled={isBusy} onClick={() => setOpen(true)}>
          {t(source.key === null ? "updates.set" : "updates.change")}
        </Button>
      </Group>
      {isOpen && <SourceDialog source={source} run={run} onClose={() => setOpen(false)} />}
    </PageSection>
  );
}
