import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageLink } from "../../parts/PageLink.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useAnswer } from "../../use-answer.ts";
import { MailServerForm } from "./MailServerForm.tsx";
import { TestMail } from "./TestMail.tsx";

/** The mail server, the state of its mails, and refused addresses. */
export function EmailPage() {
  const { t } = useTranslation();
  const mail = useAnswer("GET /host/mail", {}, { isOfHost: true, isAlwaysStale: true });
  return (
    <Page title={t("email.title")} description={t("email.lead")} width="narrow">
      {mail.error && !mail.data && (
        <Callout tone="error" role="alert">
          {errorMessage(mail.error)}
        </Callout>
      )}
      {!mail.data && !mail.error && <PageSkeleton />}
      {mail.data && (
        <>
          <PageSection title={t("email.server")} description={t("email.serverLead")}>
            {/* The key shows the saved values after a change. */}
            <MailServerForm key={JSON.stringify(mail.data.smtp)} mail={mail.data} onSaved={() => void mail.refetch()} />
          </PageSection>
          {mail.data.smtp && (
            <>
              <PageSection title={t("email.test")}>
                <TestMail onSent={() => void mail.refetch()} />
              </PageSection>
              <State state={mail.data.state} />
              <FailingAddresses />
            </>
          )}
        </>
      )}
    </Page>
  );
}

function State({ state }: { state: Answer<"GET /host/mail">["state"] }) {
  const { t } = useTranslation();
  const { last_sent_at, last_failure, waiting, given_up } = state;
  return (
    <PageSection title={t("email.state")} description={t("email.stateLead")}>
      <Facts labelWidth="10rem">
        <Fact label={t("email.lastSent")}>
          {last_sent_at === null ? t("email.never") : <RelativeTime at={last_sent_at} />}
        </Fact>
        <Fact label={t("email.waiting")}>{t("email.mails", { count: waiting })}</Fact>
        {given_up > 0 && (
          <Fact label={t("email.givenUp")}>
            {t("email.mails", { count: given_up })}
            <Hint>{t("email.givenUpHint")}</Hint>
          </Fact>
        )}
        <Fact label={t("email.lastFailure")}>
          {last_failure === null ? (
            t("email.none")
          ) : (
            <>
              <RelativeTime at={last_failure.at} />
              <Hint>{problemInWords(last_failure.problem as Parameters<typeof problemInWords>[0])}</Hint>
            </>
          )}
        </Fact>
      </Facts>
    </PageSection>
  );
}

function FailingAddresses() {
  const { t } = useTranslation();
  const answer = useAnswer(
    "GET /host/failing-addresses",
    {},
    { changedBy: ["failing_address", "realm_user"], isAlwaysStale: true },
  );
  const failing = answer.data?.failing_addresses ?? [];
  return (
    <PageSection title={t("email.refused")} description={t("email.refusedLead")}>
      {failing.length === 0 ? (
        <Hint>{t("email.refusedNone")}</Hint>
      ) : (
        <PlainList divided>
          {failing.map(({ user_id, full_name, response }) => (
            <li key={user_id}>
              <PageLink to="/people" search={{ open: String(user_id) }}>
                <bdi>{full_name}</bdi>
              </PageLink>
              {response && <Hint>{response}</Hint>}
            </li>
          ))}
        </PlainList>
      )}
    </PageSection>
  );
}
