import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { LastUpdate as Last } from "../../../../main/bridge-types.ts";
import { dayAndTime } from "../../../parts/format.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { WayBack } from "../../parts/WayBack.tsx";
import type { FollowedUpdates } from "./use-updates.ts";

const TONES = { installing: "warning", answered: "good", failed: "bad" } as const;

/** The result of the latest installation, and how to revert it. */
export function LastUpdate({ last, isBusy, run }: Omit<FollowedUpdates, "state"> & { last: Last }) {
  const { t } = useTranslation();
  const { from, to, at, kept, keptUntil, outcome, reason } = last;
  return (
    <PageSection title={t("updates.last")} aside={dayAndTime(at)}>
      <StatusText tone={TONES[outcome]}>{t(`updates.outcomes.${outcome}`, { from, to })}</StatusText>
      {reason && <Hint>{reason}</Hint>}
      {kept !== null && outcome !== "failed" && (
        <>
          <WayBack last={last} />
          {keptUntil !== null && <Hint>{t("updates.keptUntil", { time: dayAndTime(keptUntil) })}</Hint>}
        </>
      )}
      {kept !== null && outcome !== "installing" && (
        <div>
          <Button
            variant="default"
            size="sm"
            disabled={isBusy}
            onClick={() => void run((desktop) => desktop.removeKeptVersion())}
          >
            {t("updates.removeKept", { version: from })}
          </Button>
        </div>
      )}
    </PageSection>
  );
}
