import { useTranslation } from "react-i18next";
import type { FolderWork } from "../../../main/bridge-types.ts";
import { bytes } from "../../parts/format.ts";
import { WorkProgress } from "./WorkProgress.tsx";

export interface FolderProgressProps {
  work: FolderWork | undefined;
  /** Replaces the name of the current phase. */
  label?: string | undefined;
}

/** The progress of a move or a restore. */
export function FolderProgress({ work, label }: FolderProgressProps) {
  const { t } = useTranslation();
  const { phase = "stopping", done = 0, total = 0 } = work ?? {};
  const shown = label ?? t(`data.moving.phases.${phase}`);
  const isCounted = total > 0 && phase !== "stopping" && phase !== "starting";
  const text = isCounted ? `${shown} ${bytes(done)} / ${bytes(total)}` : shown;
  return <WorkProgress label={shown} done={done} total={total} text={text} />;
}
