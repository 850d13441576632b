import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { bytes, timeOrDay } from "../../../parts/format.ts";
import { Note } from "../../../parts/Note.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { isDiskLow, LOW_BYTES } from "./disk.ts";
import classes from "./StateBanner.module.css";
import type { Condition } from "./server-condition.ts";

export interface StateBannerProps {
  condition: Condition;
  /** When it was last reached. */
  since: number | undefined;
  host: ServerState | undefined;
  onTryNow(): void;
}

const LONG_MS = 60_000;

/** What has to be known now: a server that is away, or one that cannot write. */
export function StateBanner({ condition, since, host, onTryNow }: StateBannerProps) {
  const { t } = useTranslation();
  const now = useNow();

  const note = () => {
    if (condition === "stopped") return { tone: "error", text: t("banner.stopped") } as const;
    if (condition === "restarting" || condition === "starting")
      return { tone: "warning", text: t("banner.restarting") } as const;
    if (condition === "unreachable") {
      const at = since ?? now;
      const words = now - at > LONG_MS ? "banner.long" : "banner.unreachable";
      return { tone: "error", text: t(words, { time: timeOrDay(at, now) }) } as const;
    }
    if (!host) return undefined;
    if (!host.storage.accepts_writes) return { tone: "error", text: t("banner.readOnly") } as const;
    // How much exactly stands under Health: here each change would be said anew.
    if (isDiskLow(host.storage))
      return { tone: "warning", text: t("banner.diskLow", { least: bytes(LOW_BYTES) }) } as const;
    return undefined;
  };
  const shown = note();
  const action = condition === "unreachable" && (
    <Button size="compact-sm" variant="default" onClick={onTryNow}>
      {t("banner.tryNow")}
    </Button>
  );
  // The place is there before the words are: only then does a screen reader say them.
  return (
    <div className={classes.place} role="status">
      {shown && (
        <Note tone={shown.tone} action={action}>
          {shown.text}
        </Note>
      )}
    </div>
  );
}
