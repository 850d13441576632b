import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { mayManage } from "../api/session.ts";
import { endSession, useSession } from "../api/use-session.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { SignInPage } from "../parts/SignInPage.tsx";
import { StatusPage } from "../parts/StatusPage.tsx";
import { ChatPage } from "./ChatPage.tsx";
import { useOfflineCopy } from "./offline/use-offline-copy.ts";

/**
 * GET /host/session decides what is shown: the first run, the sign-in, or the chat of who is signed in. While the server
 * does not answer, that is what this browser has of the chat.
 */
export function App() {
  const { t } = useTranslation();
  const client = useClient();
  const { session, isUnreachable, askAgain } = useSession();
  const [sessionEnded, setSessionEnded] = useState(false);
  const askWho = (ended: boolean) => {
    setSessionEnded(ended);
    askAgain();
  };
  const { copy, removeCopy } = useOfflineCopy(session, isUnreachable);
  const signOut = async () => {
    await Promise.all([endSession(client), removeCopy()]);
    askWho(false);
  };

  useEffect(() => {
    if (session?.setup) window.location.replace("/admin/");
  }, [session?.setup]);

  if (!session && copy)
    return (
      <ChatPage
        key={copy.userId}
        userId={copy.userId}
        copy={copy}
        mayManage={false}
        onSessionLost={() => askWho(true)}
        onSignOut={signOut}
      />
    );
  if (!session || session.setup) {
    if (!isUnreachable) return <PageLoader />;
    return <StatusPage title={t("app.unreachable")} hint={t("app.unreachableHint")} busy />;
  }
  if (!session.user)
    return (
      <SignInPage
        lead={t("chat.signIn.lead")}
        audience="members"
        hint={t("chat.signIn.hint")}
        sessionEnded={sessionEnded}
        onSignedIn={() => askWho(false)}
      />
    );
  const { user } = session;
  return (
    <ChatPage
      key={user.user_id}
      userId={user.user_id}
      mayManage={mayManage(session)}
      onSessionLost={() => askWho(true)}
      onSignOut={signOut}
    />
  );
}
