import { useTranslation } from "react-i18next";
import { inWords } from "../../parts/error-messages.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { useOrganization } from "../admin-context.ts";
import type { PageSearch } from "../page-search.ts";
import { useAnswer } from "../use-answer.ts";
import classes from "./LastRequests.module.css";
import { PageLink } from "./PageLink.tsx";
import { StatusText } from "./StatusText.tsx";

export interface LastRequestsProps {
  /** Which requests: of these bots, or of these services. */
  of: { bot_ids: number[] } | { integrations: string[] };
  /** How the log of webhooks is filtered for the same. */
  search: PageSearch;
}

const SHOWN = 5;
const TONES = { posted: "good", ignored: "quiet", refused: "bad" } as const;

/** The newest of what services sent, and what became of it. */
export function LastRequests({ of, search }: LastRequestsProps) {
  const { t } = useTranslation();
  const integrations = useOrganization(({ realm_incoming_webhook_bots }) => realm_incoming_webhook_bots);
  const { data } = useAnswer("GET /host/webhook_receipts", { ...of, limit: SHOWN }, { changedBy: ["webhook_receipt"] });
  const nameOf = (integration: string) =>
    integrations?.find(({ name }) => name === integration)?.display_name ?? integration;
  if (!data) return null;
  if (data.receipts.length === 0) return <p className={classes.hint}>{t("bots.incoming.none")}</p>;
  return (
    <>
      <ul className={classes.requests}>
        {data.receipts.map(({ id, integration, event, state, received_at, error }) => (
          <li key={id}>
            <span>{[nameOf(integration), event].filter(Boolean).join(" · ")}</span>
            <StatusText tone={TONES[state]}>{t(`bots.request.${state}`)}</StatusText>
            <span className={classes.hint}>
              <RelativeTime at={received_at} />
            </span>
            {error && <span className={classes.error}>{inWords(error)}</span>}
          </li>
        ))}
      </ul>
      <p className={classes.hint}>
        <PageLink to="/webhooks" search={{ log: "received", ...search }}>
          {t("bots.incoming.log")}
        </PageLink>
      </p>
    </>
  );
}
