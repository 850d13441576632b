import { useTranslation } from "react-i18next";
import { mayManageHost } from "../../api/session.ts";
import type { ReportedProblem } from "../../locales/error-texts.ts";
import { problemInWords } from "../../locales/i18n.ts";
import { useAdmin } from "../admin-context.ts";
import { PageLink } from "./PageLink.tsx";

/** A link to the setting that allows internal addresses, for people who can change it. */
export function WebhookReachLink() {
  const { t } = useTranslation();
  const { session } = useAdmin();
  return (
    mayManageHost(session) && (
      <PageLink to="/network" search={{ open: "webhooks" }}>
        {t("webhooks.network")}
      </PageLink>
    )
  );
}

const BLOCKED = ["webhook_address_blocked", "webhook_address_is_server"];

/** Whether the setting prevents a delivery. */
export const isBlocked = (problem: ReportedProblem | null): boolean =>
  problem !== null && BLOCKED.includes(problem.reason);

/** Why a delivery failed, with the link if the setting prevents it. */
export const DeliveryProblem = ({ problem }: { problem: ReportedProblem }) => (
  <>
    {problemInWords(problem)} {isBlocked(problem) && <WebhookReachLink />}
  </>
);
