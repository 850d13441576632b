import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useClient } from "../../api/client-context.ts";
import { errorMessage } from "../error-messages.ts";
import { bytes } from "../format.ts";

export interface ExpiringCountProps {
  days: number;
  /** Without it, counts in all channels that have no retention of their own. */
  channelId?: number;
}

/** A number that is being typed is not counted for each digit. */
const TYPING_MS = 400;

/** Counts the messages and files that a retention would delete now. */
export function ExpiringCount({ days, channelId }: ExpiringCountProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [settledDays] = useDebouncedValue(days, TYPING_MS);
  const input = { days: settledDays, ...(channelId !== undefined && { stream_id: channelId }) };
  const { data, error } = useQuery({
    queryKey: ["GET /host/expiring_messages", input],
    queryFn: ({ signal }) => client.call("GET /host/expiring_messages", input, signal),
    staleTime: 0,
  });
  if (error) return <p role="status">{errorMessage(error)}</p>;
  if (!data || settledDays !== days) return <p role="status">{t("expiring.counting")}</p>;
  const { messages: count, files, file_bytes, is_complete } = data;
  if (count === 0) return <p role="status">{t("expiring.none")}</p>;
  return (
    <p role="status">
      <strong>{is_complete ? t("expiring.messages", { count }) : t("expiring.more", { count })}</strong>{" "}
      {files > 0 && t("expiring.files", { count: files, bytes: bytes(file_bytes) })}
    </p>
  );
}
