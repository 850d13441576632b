import { Anchor } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../main/bridge-types.ts";
import { useClient } from "../api/client-context.ts";
import { askSession, mayManage, type Session } from "../api/session.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { SignInPage } from "../parts/SignInPage.tsx";
import { StatusPage } from "../parts/StatusPage.tsx";
import { FirstRunPage } from "./pages/first-run/FirstRunPage.tsx";
import { OverviewPage } from "./pages/overview/OverviewPage.tsx";
import { NoAccess } from "./pages/sign-in/NoAccess.tsx";

import { useProcessState } from "./use-process-state.ts";

/** GET /host/session alone decides which page is shown. */
export function App({ desktop }: { desktop: Desktop | undefined }) {
  const { t } = useTranslation();
  const client = useClient();
  const processState = useProcessState(desktop);
  const [session, setSession] = useState<Session>();
  const [attempt, setAttempt] = useState(0);
  const [isUnreachable, setUnreachable] = useState(false);
  const [sessionEnded, setSessionEnded] = useState(false);
  const isSigningOut = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks again
  useEffect(() => {
    const controller = new AbortController();
    askSession({ client, onError: () => setUnreachable(true), signal: controller.signal }).then(
      (newSession) => {
        isSigningOut.current = false; // a session that ends from here on was not ended by this page
        setUnreachable(false);
        setSession(newSession);
      },
      () => {}, // aborted: the page was closed, or asks again
    );
    return () => controller.abort();
  }, [client, attempt]);

  const askAgain = (ended = false) => {
    setSessionEnded(ended);
    setAttempt((count) => count + 1);
  };
  const signOut = async () => {
    isSigningOut.current = true; // the Overview page, still open, may be the first to get an error
    // If the server does not answer, the session survives, and the next answer shows it.
    await client.call("DELETE /host/session", {}).catch(() => {});
    askAgain();
  };

  if (!session) {
    if (processState === "stopped") return <StatusPage title={t("app.stopped")} hint={t("app.stoppedHint")} />;
    if (!isUnreachable) return <PageLoader />;
    if (desktop) return <StatusPage title={t("app.starting")} busy />;
    return <StatusPage title={t("app.unreachable")} hint={t("app.unreachableHint")} busy />;
  }
  if (session.setup) return <FirstRunPage session={session} desktop={desktop} onSession={setSession} />;
  if (mayManage(session))
    return (
      <OverviewPage
        session={session}
        desktop={desktop}
        processState={processState}
        onSessionLost={() => askAgain(!isSigningOut.current)}
        onNotReady={() => askAgain()}
        onSignOut={signOut}
      />
    );
  if (session.user) return <NoAccess name={session.user.full_name} onSignOut={signOut} />;
  return (
    <SignInPage
      lead={t("signIn.lead")}
      audience="operators"
      hint={<Anchor href="/">{t("signIn.chat")}</Anchor>}
      sessionEnded={sessionEnded}
      onSignedIn={() => askAgain()}
    />
  );
}
