import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../main/bridge-types.ts";
import { useClient } from "../api/client-context.ts";
import { askSession, mayManage, type Session } from "../api/session.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { FirstRunPage } from "./pages/first-run/FirstRunPage.tsx";
import { OverviewPage } from "./pages/overview/OverviewPage.tsx";
import { NoAccess } from "./pages/sign-in/NoAccess.tsx";
import { SignInPage } from "./pages/sign-in/SignInPage.tsx";
import { useServerState } from "./use-server-state.ts";
import { Waiting } from "./Waiting.tsx";

/** Which page: what GET /host/session says decides it, and nothing else. */
export function App({ desktop }: { desktop: Desktop | undefined }) {
  const { t } = useTranslation();
  const client = useClient();
  const serverState = useServerState(desktop);
  const [session, setSession] = useState<Session>();
  const [asked, setAsked] = useState(0);
  const [isTroubled, setTroubled] = useState(false);
  const [hasEnded, setEnded] = useState(false);
  const isLeaving = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts how often to ask anew
  useEffect(() => {
    const ended = new AbortController();
    askSession({ client, onError: () => setTroubled(true), signal: ended.signal }).then(
      (known) => {
        isLeaving.current = false; // whatever ends from here on ends by itself
        setTroubled(false);
        setSession(known);
      },
      () => {}, // aborted: the page is gone, or asks anew
    );
    return () => ended.abort();
  }, [client, asked]);

  const askAgain = (ended = false) => {
    setEnded(ended);
    setAsked((times) => times + 1);
  };
  const signOut = async () => {
    isLeaving.current = true; // Overview, while it is still there, may be refused first
    // Where the server does not answer, the session is still there when it does: the page says so by itself.
    await client.call("DELETE /host/session", {}).catch(() => {});
    askAgain();
  };

  if (!session) {
    if (serverState === "stopped") return <Waiting title={t("app.stopped")} hint={t("app.stoppedHint")} />;
    if (!isTroubled) return <PageLoader />;
    if (desktop) return <Waiting title={t("app.starting")} busy />;
    return <Waiting title={t("app.unreachable")} hint={t("app.unreachableHint")} busy />;
  }
  if (session.setup) return <FirstRunPage session={session} desktop={desktop} onSession={setSession} />;
  if (mayManage(session))
    return (
      <OverviewPage
        session={session}
        desktop={desktop}
        serverState={serverState}
        onSessionLost={() => askAgain(!isLeaving.current)}
        onNotReady={() => askAgain()}
        onSignOut={signOut}
      />
    );
  if (session.user) return <NoAccess name={session.user.full_name} onSignOut={signOut} />;
  return <SignInPage hasEnded={hasEnded} onSignedIn={() => askAgain()} />;
}
