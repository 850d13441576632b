import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Refusal } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { PageLoader } from "../parts/PageLoader.tsx";
import { Unopened } from "../parts/Unopened.tsx";
import { type Account, type Invitation, OPEN_TO_ALL } from "./invitation.ts";
import { Joined } from "./Joined.tsx";
import classes from "./JoinPage.module.css";
import { NewAccount } from "./NewAccount.tsx";

/** Whether nobody can join by this link, for whatever reason. */
const saysVoid = (trouble: unknown): boolean => trouble instanceof Refusal && trouble.data["var_name"] === "token";

export interface JoinPageProps {
  token: string;
  /** What the server said of the token with the page itself. */
  isVoid: boolean;
}

/** Behind an invitation's link: from a stranger to somebody who knows how to connect. */
export function JoinPage({ token, isVoid }: JoinPageProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [invitation, setInvitation] = useState<Invitation>();
  const [trouble, setTrouble] = useState<unknown>();
  const [account, setAccount] = useState<Account>();
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts how often to ask anew
  useEffect(() => {
    if (isVoid) return;
    setTrouble(undefined);
    client.call("POST /host/join/open", { token }).then(setInvitation, setTrouble);
  }, [client, token, isVoid, asked]);

  if (isVoid || saysVoid(trouble)) return <VoidLink isOpen={token === OPEN_TO_ALL} />;
  const tryAgain = () => setAsked((times) => times + 1);
  if (trouble) return <Unopened title={t("join.troubleTitle")} error={trouble} onTryAgain={tryAgain} />;
  if (!invitation) return <PageLoader />;
  if (account) return <Joined account={account} invitation={invitation} />;
  return (
    <NewAccount
      token={token}
      invitation={invitation}
      onJoined={setAccount}
      isVoid={saysVoid}
      onVoid={(refusal) => setTrouble(refusal)}
    />
  );
}

function VoidLink({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation();
  const address = window.location.origin;
  return (
    <AuthLayout
      title={t(isOpen ? "join.closed.title" : "join.void.title")}
      lead={t(isOpen ? "join.closed.lead" : "join.void.lead")}
      readers="guests"
      takesFocus
    >
      <ul className={classes.advice}>
        <li>{t(isOpen ? "join.closed.ask" : "join.void.ask")}</li>
        {!isOpen && <li>{t("join.void.check")}</li>}
        <li>{t("join.void.known", { address })}</li>
      </ul>
    </AuthLayout>
  );
}
