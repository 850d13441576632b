import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { askSession, type Session } from "../api/session.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { SignInPage } from "../parts/SignInPage.tsx";
import { StatusPage } from "../parts/StatusPage.tsx";
import { ChatPage } from "./ChatPage.tsx";

/** GET /host/session decides what is shown: the first run, the sign-in, or the chat of who is signed in. */
export function App() {
  const { t } = useTranslation();
  const client = useClient();
  const [session, setSession] = useState<Session>();
  const [attempt, setAttempt] = useState(0);
  const [isUnreachable, setUnreachable] = useState(false);
  const [sessionEnded, setSessionEnded] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks again
  useEffect(() => {
    const controller = new AbortController();
    askSession({ client, onError: () => setUnreachable(true), signal: controller.signal }).then(
      (newSession) => {
        setUnreachable(false);
        setSession(newSession);
      },
      () => {}, // aborted: the page was closed, or asks again
    );
    return () => controller.abort();
  }, [client, attempt]);

  const askAgain = (ended: boolean) => {
    setSessionEnded(ended);
    setAttempt((count) => count + 1);
  };
  const signOut = async () => {
    // If the server does not answer, the session survives, and the next answer shows it.
    await client.call("DELETE /host/session", {}).catch(() => {});
    askAgain(false);
  };

  useEffect(() => {
    if (session?.setup) window.location.replace("/admin/");
  }, [session?.setup]);

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
        onSignedIn={() => askAgain(false)}
      />
    );
  const { user } = session;
  return <ChatPage key={user.user_id} user={user} onSessionLost={() => askAgain(true)} onSignOut={signOut} />;
}
