import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../api/client.ts";
import { useClient } from "../../api/client-context.ts";
import { errorMessage } from "../error-messages.ts";
import { bytes } from "../format.ts";

export interface ExpiringCountProps {
  days: number;
  /** Absent: of all that is kept as long as the organization says. */
  channelId?: number;
}

type Counted = Answer<"GET /host/expiring_messages"> | { readonly error: string } | undefined;

/** While a number is being typed, not each of its beginnings is counted. */
const TYPING_MS = 400;

/** How many messages and files go if they are kept for so many days. */
export function ExpiringCount({ days, channelId }: ExpiringCountProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [counted, setCounted] = useState<Counted>();
  useEffect(() => {
    setCounted(undefined);
    const asked = new AbortController();
    const input = { days, ...(channelId !== undefined && { stream_id: channelId }) };
    const timer = setTimeout(
      () =>
        void client
          .call("GET /host/expiring_messages", input, asked.signal)
          .then(setCounted, (error: unknown) => asked.signal.aborted || setCounted({ error: errorMessage(error) })),
      TYPING_MS,
    );
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [client, days, channelId]);
  if (!counted) return <p role="status">{t("expiring.counting")}</p>;
  if ("error" in counted) return <p role="status">{counted.error}</p>;
  const { messages, files, file_bytes, is_complete } = counted;
  if (messages === 0) return <p role="status">{t("expiring.none")}</p>;
  const count = messages;
  return (
    <p role="status">
      <strong>{is_complete ? t("expiring.messages", { count }) : t("expiring.more", { count })}</strong>{" "}
      {files > 0 && t("expiring.files", { count: files, bytes: bytes(file_bytes) })}
    </p>
  );
}
