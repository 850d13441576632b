import { useTranslation } from "react-i18next";
import { bytes, exactTime } from "../../../parts/format.ts";
import classes from "./BackupSummary.module.css";

export interface BackupSummaryProps {
  backup: {
    organization: string;
    created_at: number;
    people: number;
    messages: number;
    files: number;
    bytes: number;
  };
}

/** What a backup holds, before it is restored. */
export function BackupSummary({ backup }: BackupSummaryProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.held}>
      <strong>{backup.organization}</strong>
      <p>{t("restore.from", { time: exactTime(backup.created_at) })}</p>
      <p className={classes.hint}>
        {[
          t("backups.people", { count: backup.people }),
          t("backups.messages", { count: backup.messages }),
          t("backups.files", { count: backup.files }),
          bytes(backup.bytes),
        ].join(" · ")}
      </p>
    </div>
  );
}
