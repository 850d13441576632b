import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { Callout } from "../../parts/Callout.tsx";
import { bytes, timeOrDay } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { useAdmin } from "../admin-context.ts";
import { adminPart } from "../admin-part.ts";
import { isDiskNearlyFull, NEARLY_FULL_BYTES } from "../pages/overview/disk.ts";
import { useFolderWork } from "../use-folder-work.ts";
import classes from "./StateBanner.module.css";
import { useServerStatus } from "./use-server-status.ts";

// The desktop app serves the pages, so they load while the server is stopped.
const FolderProgress = adminPart(() =>
  import("../parts/FolderProgress.tsx").then((all) => ({ default: all.FolderProgress })),
);

const LONG_OUTAGE_MS = 60_000;

export function StateBanner() {
  const { t } = useTranslation();
  const { server, desktop, processState } = useAdmin();
  const { state: serverState, error } = useStore(server.followed, (followed) => followed);
  const status = useServerStatus();
  const work = useFolderWork(desktop, processState === "restarting");
  const now = useNow();

  const problem = () => {
    if (work) return { tone: "warning", text: t(`banner.${work.kind}`) } as const;
    if (status === "failed") return { tone: "error", text: t("banner.failed") } as const;
    if (status === "stopped") return { tone: "error", text: t("banner.stopped") } as const;
    if (status === "restarting" || status === "starting")
      return { tone: "warning", text: t("banner.restarting") } as const;
    if (error?.needsHttps) return { tone: "warning", text: t("app.needsHttps") } as const;
    if (status === "unreachable") {
      const at = error?.since ?? now;
      const key = now - at > LONG_OUTAGE_MS ? "banner.long" : "banner.unreachable";
      return { tone: "error", text: t(key, { time: timeOrDay(at, now) }) } as const;
    }
    if (!serverState) return undefined;
    if (!serverState.accepts_writes) return { tone: "error", text: t("banner.readOnly") } as const;
    // Without the exact number, which a screen reader would announce after each change. Health shows it.
    if (isDiskNearlyFull(serverState))
      return { tone: "warning", text: t("banner.diskLow", { min: bytes(NEARLY_FULL_BYTES) }) } as const;
    return undefined;
  };
  const shown = problem();
  const action = status === "unreachable" && (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => (error?.needsHttps ? window.location.reload() : server.tryNow())}
    >
      {t(error?.needsHttps ? "app.reload" : "banner.tryNow")}
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
