import { Button, Group, Paper, Progress, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UpdateState } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { bytes, dayAndTime } from "../../../parts/format.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import type { FollowedUpdates } from "./use-updates.ts";

export interface FoundVersionProps extends Omit<FollowedUpdates, "state"> {
  state: UpdateState;
  found: NonNullable<UpdateState["found"]>;
}

const INSTALLING = ["asking", "backing up", "keeping", "installing"] as const satisfies readonly UpdateState["step"][];

const NOTES = {
  maxBlockSize: "20rem",
  padding: "var(--mantine-spacing-md)",
  background: "var(--hearth-sunken)",
  fontSize: "var(--mantine-font-size-sm)",
  overflow: "auto",
  overflowWrap: "anywhere",
  whiteSpace: "pre-wrap",
} as const;

/** A newer version: its release notes, and the steps to install it. */
export function FoundVersion({ state, found, run }: FoundVersionProps) {
  const { t } = useTranslation();
  const { step, done } = state;
  const about = [found.madeAt !== null && dayAndTime(found.madeAt), bytes(found.size)].filter(Boolean).join(" · ");
  const isDownloading = step === "downloading";
  const installing = INSTALLING.find((one) => one === step);
  return (
    <PageSection title={t("updates.found", { version: found.version })} aside={about}>
      {found.notes === "" ? (
        <Hint>{t("updates.noNotes")}</Hint>
      ) : (
        <Paper component="section" withBorder aria-label={t("updates.notes")} tabIndex={0} style={NOTES}>
          {found.notes}
        </Paper>
      )}
      {isDownloading && (
        <Stack gap="xs">
          <Progress value={(100 * done) / found.size} aria-label={t("updates.downloading")} />
          <Hint>
            {t("updates.downloading")} {bytes(done)} / {bytes(found.size)}
          </Hint>
        </Stack>
      )}
      {step === "ready" && <StatusText tone="good">{t("updates.ready")}</StatusText>}
      {installing && <Hint role="status">{t(`updates.steps.${installing}`)}</Hint>}
      <Hint>{t("updates.installHelp", { version: state.version })}</Hint>
      <Group gap="sm">
        {step === "found" && (
          <Button onClick={() => void run((desktop) => desktop.downloadUpdate())}>{t("updates.download")}</Button>
        )}
        {isDownloading && (
          <Button variant="default" onClick={() => void run((desktop) => desktop.cancelUpdate())}>
            {t("updates.cancel")}
          </Button>
        )}
        {(step === "ready" || installing) && (
          <BusyButton busy={installing !== undefined} onClick={() => void run((desktop) => desktop.installUpdate())}>
            {t("updates.install", { version: found.version })}
          </BusyButton>
        )}
      </Group>
    </PageSection>
  );
}
