import { Anchor } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { ErrorPage } from "../parts/ErrorPage.tsx";
import { isTokenError } from "../parts/error-messages.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { PlainList } from "../parts/text/PlainList.tsx";
import { type Invitation, OPEN_TO_ALL } from "./invitation.ts";
import { NewAccount } from "./NewAccount.tsx";

export interface JoinPageProps {
  token: string;
  /** Whether the server responded to the page's own request with 404. */
  isInvalid: boolean;
}

/** The page of an invitation link. */
export function JoinPage({ token, isInvalid }: JoinPageProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [invitation, setInvitation] = useState<Invitation>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks again
  useEffect(() => {
    if (isInvalid) return;
    setError(undefined);
    client.call("POST /host/join/open", { token }).then(setInvitation, setError);
  }, [client, token, isInvalid, attempt]);

  if (isInvalid || isTokenError(error)) return <InvalidLink isOpen={token === OPEN_TO_ALL} />;
  const tryAgain = () => setAttempt((count) => count + 1);
  if (error) return <ErrorPage title={t("join.errorTitle")} error={error} onTryAgain={tryAgain} />;
  if (!invitation) return <PageLoader />;
  return <NewAccount token={token} invitation={invitation} onTokenError={setError} />;
}

function InvalidLink({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation();
  return (
    <AuthLayout
      title={t(isOpen ? "join.closed.title" : "join.invalidLink.title")}
      lead={t(isOpen ? "join.closed.lead" : "join.invalidLink.lead")}
      audience="members"
      takesFocus
    >
      <PlainList divided mt="lg">
        <li>{t(isOpen ? "join.closed.ask" : "join.invalidLink.ask")}</li>
        {!isOpen && <li>{t("join.invalidLink.check")}</li>}
        <li>
          {t("join.invalidLink.haveAccount")}{" "}
          <Anchor href="/" inherit underline="always">
            {t("join.signIn")}
          </Anchor>
        </li>
      </PlainList>
    </AuthLayout>
  );
}
