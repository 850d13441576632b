import { Anchor } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../main/bridge-types.ts";
import { useClient } from "../api/client-context.ts";
import { hasAdminPages } from "../api/session.ts";
import { endSession, useSession } from "../api/use-session.ts";
import { lazyPart } from "../parts/lazy-part.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { StatusPage } from "../parts/StatusPage.tsx";
import { AdminPages } from "./AdminPages.tsx";
import { adminPart } from "./admin-part.ts";
import { ProblemPage } from "./pages/problem/ProblemPage.tsx";
import { useServerProblem } from "./pages/problem/use-server-problem.ts";
import { NoAccess } from "./pages/sign-in/NoAccess.tsx";
import { useProcessState } from "./use-process-state.ts";

const SignInPage = lazyPart(
  () => import("../parts/SignInPage.tsx").then((module) => ({ default: module.SignInPage })),
  PageLoader,
);
const FirstRunPage = adminPart(
  () => import("./pages/first-run/FirstRunPage.tsx").then((module) => ({ default: module.FirstRunPage })),
  PageLoader,
);

/** GET /host/session decides which page shows. */
export function App({ desktop }: { desktop: Desktop | undefined }) {
  const { t } = useTranslation();
  const client = useClient();
  const processState = useProcessState(desktop);
  const problem = useServerProblem(desktop, processState);
  const [sessionEnded, setSessionEnded] = useState(false);
  const isSigningOut = useRef(false);
  const followed = useSession(() => {
    isSigningOut.current = false; // this page did not end a session that ends later
  });
  const { session, isUnreachable, setSession } = followed;

  const askAgain = (ended = false) => {
    setSessionEnded(ended);
    followed.askAgain();
  };
  const signOut = async () => {
    isSigningOut.current = true; // Overview, still open, may get an error first
    await endSession(client);
    askAgain();
  };

  if (desktop && problem)
    return <ProblemPage desktop={desktop} problem={problem} isRestarting={processState === "restarting"} />;
  if (!session) {
    if (processState === "failed") return <StatusPage title={t("app.notStarted")} hint={t("app.notStartedHint")} />;
    if (processState === "stopped") return <StatusPage title={t("app.stopped")} hint={t("app.stoppedHint")} />;
    if (!isUnreachable) return <PageLoader />;
    if (desktop) return <StatusPage title={t("app.starting")} busy />;
    return <StatusPage title={t("app.unreachable")} hint={t("app.unreachableHint")} busy />;
  }
  if (session.setup) return <FirstRunPage session={session} desktop={desktop} onSession={setSession} />;
  if (hasAdminPages(session))
    return (
      <AdminPages
        key={session.access}
        session={session}
        desktop={desktop}
        processState={processState}
        onSessionLost={() => askAgain(!isSigningOut.current)}
        onNotReady={() => askAgain()}
        onRoleChanged={() => askAgain()}
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
