import { Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { FolderWork } from "../../../main/bridge-types.ts";
import { bytes } from "../../parts/format.ts";
import classes from "./FolderProgress.module.css";

export interface FolderProgressProps {
  work: FolderWork | undefined;
  /** In place of what is being done. */
  label?: string | undefined;
}

/** How far a move or a restore is. The figures change all the time, and are not read out. */
export function FolderProgress({ work, label }: FolderProgressProps) {
  const { t } = useTranslation();
  const { phase = "stopping", done = 0, total = 0 } = work ?? {};
  const shown = label ?? t(`data.moving.phases.${phase}`);
  const isCounted = total > 0 && phase !== "stopping" && phase !== "starting";
  return (
    <div className={classes.work}>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={shown} />
      <p className={classes.done} aria-hidden="true">
        {isCounted ? `${shown} ${bytes(done)} / ${bytes(total)}` : shown}
      </p>
    </div>
  );
}
