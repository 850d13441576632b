import { Button, Group, Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UpdateState } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { bytes, dayAndTime } from "../../../parts/format.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import classes from "./UpdatesPage.module.css";
import type { FollowedUpdates } from "./use-updates.ts";

export interface FoundVersionProps extends Omit<FollowedUpdates, "state"> {
  state: UpdateState;
  found: NonNullable<UpdateState["found"]>;
}

const INSTALLING = ["asking", "backing up", "keeping", "installing"] as const satisfies readonly UpdateState["step"][];

/** A newer version: what is new in it, and the steps to have it. */
export function FoundVersion({ state, found, run }: FoundVersionProps) {
  const { t } = useTranslation();
  const { step, done } = state;
  const about = [found.madeAt !== null && dayAndTime(found.madeAt), bytes(found.size)].filter(Boolean).join(" · ");
  const isDownloading = step === "downloading";
  const installing = INSTALLING.find((one) => one === step);
  return (
    <PageSection title={t("updates.found", { version: found.version })} aside={about}>
      {found.notes === "" ? (
        <p className={classes.hint}>{t("updates.noNotes")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long notes scroll, with keys too
        <section className={classes.notes} aria-label={t("updates.notes")} tabIndex={0}>
          {found.notes}
        </section>
      )}
      {isDownloading && (
        <div className={classes.work}>
          <Progress value={(100 * done) / found.size} aria-label={t("updates.downloading")} />
          <p className={classes.hint}>
            {t("updates.downloading")} {bytes(done)} / {bytes(found.size)}
          </p>
        </div>
      )}
      {step === "ready" && <StatusText tone="good">{t("updates.ready")}</StatusText>}
      {installing && (
        <p className={classes.hint} role="status">
          {t(`updates.steps.${installing}`)}
        </p>
      )}
      <p className={classes.hint}>{t("updates.installHelp", { version: state.version })}</p>
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
