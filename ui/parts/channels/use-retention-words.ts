import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useOrganization } from "../settings/organization-context.ts";

/** Names a retention: null is the organization's, -1 is forever (docs/protocol.md#channel-object). */
export function useRetentionWords(): (days: number | null) => string {
  const { t } = useTranslation();
  const ofOrganization = useOrganization((state) => state.realm_message_retention_days ?? -1);
  return useCallback(
    (days) => {
      const words = (count: number) => (count === -1 ? t("channels.retention.forever") : t("channels.days", { count }));
      return days === null ? t("channels.retention.as", { words: words(ofOrganization) }) : words(days);
    },
    [t, ofOrganization],
  );
}
