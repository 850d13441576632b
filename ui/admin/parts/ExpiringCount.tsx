import { useDebouncedValue } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { bytes } from "../../parts/format.ts";
import { useAnswer } from "../use-answer.ts";

export interface ExpiringCountProps {
  days: number;
  /** Absent: of all that is kept as long as the organization says. */
  channelId?: number;
}

/** While a number is being typed, not each of its beginnings is counted. */
const TYPING_MS = 400;

/** How many messages and files go if they are kept for so many days. */
export function ExpiringCount({ days: typed, channelId }: ExpiringCountProps) {
  const { t } = useTranslation();
  const [days] = useDebouncedValue(typed, TYPING_MS);
  const { data, error } = useAnswer(
    "GET /host/expiring_messages",
    { days, ...(channelId !== undefined && { stream_id: channelId }) },
    { isAskedAnew: true },
  );
  if (error) return <p role="status">{errorMessage(error)}</p>;
  if (!data || days !== typed) return <p role="status">{t("expiring.counting")}</p>;
  const { messages, files, file_bytes, is_complete } = data;
  if (messages === 0) return <p role="status">{t("expiring.none")}</p>;
  const count = messages;
  return (
    <p role="status">
      <strong>{is_complete ? t("expiring.messages", { count }) : t("expiring.more", { count })}</strong>{" "}
      {files > 0 && t("expiring.files", { count: files, bytes: bytes(file_bytes) })}
    </p>
  );
}
