import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { FolderWork } from "../../../main/bridge-types.ts";
import type { ServerState } from "../../api/server-state.ts";
import { Callout } from "../../parts/Callout.tsx";
import { bytes, timeOrDay } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { adminPart } from "../admin-part.ts";
import { isDiskNearlyFull, NEARLY_FULL_BYTES } from "../pages/overview/disk.ts";
import classes from "./StateBanner.module.css";
import type { ServerStatus } from "./server-status.ts";

// The window has its pages from the shell, also while the server is stopped.
const FolderProgress = adminPart(() =>
  import("../parts/FolderProgress.tsx").then((all) => ({ default: all.FolderProgress })),
);

export interface StateBannerProps {
  status: ServerStatus;
  /** When the server stopped answering. */
  since: number | undefined;
  serverState: ServerState | undefined;
  /** What the server is stopped for. */
  work: FolderWork | undefined;
  onTryNow(): void;
}

const LONG_OUTAGE_MS = 60_000;

/** Urgent problems: a server that does not answer, or that cannot write. */
export function StateBanner({ status, since, serverState, work, onTryNow }: StateBannerProps) {
  const { t } = useTranslation();
  const now = useNow();

  const problem = () => {
    if (work) return { tone: "warning", text: t(`banner.${work.kind}`) } as const;
    if (status === "failed") return { tone: "error", text: t("banner.failed") } as const;
    if (status === "stopped") return { tone: "error", text: t("banner.stopped") } as const;
    if (status === "restarting" || status === "starting")
      return { tone: "warning", text: t("banner.restarting") } as const;
    if (status === "unreachable") {
      const at = since ?? now;
      const key = now - at > LONG_OUTAGE_MS ? "banner.long" : "banner.unreachable";
      return { tone: "error", text: t(key, { time: timeOrDay(at, now) }) } as const;
    }
    if (!serverState) return undefined;
    if (!serverState.accepts_writes) return { tone: "error", text: t("banner.readOnly") } as const;
    // Health shows the exact figure: here, a screen reader would announce each change.
    if (isDiskNearlyFull(serverState))
      return { tone: "warning", text: t("banner.diskLow", { min: bytes(NEARLY_FULL_BYTES) }) } as const;
    return undefined;
  };
  const shown = problem();
  const action = status === "unreachable" && (
    <Button size="compact-sm" variant="default" onClick={onTryNow}>
      {t("banner.tryNow")}
    </Button>
  );
  // A screen reader announces only text that appears in an existing live region.
  return (
    <div className={classes.banner} role="status">
      {shown && (
        <Callout tone={shown.tone} action={action}>
          {shown.text}
          {work && (
            <div className={classes.progress}>
              <FolderProgress work={work} />
            </div>
          )}
        </Callout>
      )}
    </div>
  );
}
