import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { problemInWords } from "../../locales/i18n.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { Hint } from "../../parts/text/Hint.tsx";
import { PlainList } from "../../parts/text/PlainList.tsx";
import { useOrganization } from "../admin-context.ts";
import type { PageSearch } from "../page-search.ts";
import { useAnswer } from "../use-answer.ts";
import { PageLink } from "./PageLink.tsx";
import { StatusText } from "./StatusText.tsx";

export interface LastRequestsProps {
  /** Which requests: of these bots, or of these services. */
  of: { bot_ids: number[] } | { integrations: string[] };
  /** The same filter in the log of webhooks. */
  search: PageSearch;
}

const SHOWN = 5;
const TONES = { posted: "good", ignored: "quiet", refused: "bad" } as const;

/** The latest requests from services, and their results. */
export function LastRequests({ of, search }: LastRequestsProps) {
  const { t } = useTranslation();
  const integrations = useOrganization(({ realm_incoming_webhook_bots }) => realm_incoming_webhook_bots);
  const { data } = useAnswer("GET /host/webhook_receipts", { ...of, limit: SHOWN }, { changedBy: ["webhook_receipt"] });
  const nameOf = (integration: string) =>
    integrations?.find(({ name }) => name === integration)?.display_name ?? integration;
  if (!data) return null;
  if (data.receipts.length === 0) return <Hint>{t("bots.incoming.none")}</Hint>;
  return (
    <>
      <PlainList divided fz="sm">
        {data.receipts.map(({ id, integration, event, state, received_at, error }) => (
          <Group component="li" key={id} gap="xs">
            <Text span inherit flex="1 1 8rem">
              {[nameOf(integration), event].filter(Boolean).join(" · ")}
            </Text>
            <StatusText tone={TONES[state]}>{t(`bots.request.${state}`)}</StatusText>
            <Hint span>
              <RelativeTime at={received_at} />
            </Hint>
            {error && (
              <Hint size="xs" w="100%">
                {problemInWords(error)}
              </Hint>
            )}
          </Group>
        ))}
      </PlainList>
      <Hint>
        <PageLink to="/webhooks" search={{ log: "received", ...search }}>
          {t("bots.incoming.log")}
        </PageLink>
      </Hint>
    </>
  );
}
