import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { bytes, exactTime } from "../../../parts/format.ts";
import { Hint } from "../../../parts/text/Hint.tsx";

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

/** The contents of a backup, shown before its restore. */
export function BackupSummary({ backup }: BackupSummaryProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xxs">
      <strong>{backup.organization}</strong>
      <Text>{t("restore.from", { time: exactTime(backup.created_at) })}</Text>
      <Hint>
        {[
          t("backups.people", { count: backup.people }),
          t("backups.messages", { count: backup.messages }),
          t("backups.files", { count: backup.files }),
          bytes(backup.bytes),
        ].join(" · ")}
      </Hint>
    </Stack>
  );
}
