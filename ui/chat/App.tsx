import { Anchor } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { askUntilAnswered } from "../api/ask-until-answered.ts";
import { type Client, Refusal } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { mayManage, type Session } from "../api/session.ts";
import { endSession, useSession } from "../api/use-session.ts";
import { lazyPart } from "../parts/lazy-part.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { StatusPage } from "../parts/StatusPage.tsx";
import { ChatPage } from "./ChatPage.tsx";
import { SPECTATOR_ID } from "./model/spectating.ts";
import { forgetWebPush } from "./notifications/load-web-push.ts";
import { useOfflineCopy } from "./offline/use-offline-copy.ts";

const SignInPage = lazyPart(
  () => import("../parts/SignInPage.tsx").then((module) => ({ default: module.SignInPage })),
  PageLoader,
);

/**
 * Shows the first run, the sign-in page or the chat, by the response of GET /host/session. Without a response, it shows
 * the chat's offline copy in this browser.
 */
export function App() {
  const { t } = useTranslation();
  const client = useClient();
  const { session, isUnreachable, askAgain } = useSession();
  const [sessionEnded, setSessionEnded] = useState(false);
  const reloadSession = (ended: boolean) => {
    setSessionEnded(ended);
    askAgain();
  };
  const { spectating, setSpectating, isUnanswered } = useSpectating(client, session);
  const { copy, removeCopy } = useOfflineCopy(session, isUnreachable);
  const signOut = async () => {
    await Promise.all([endSession(client), removeCopy(), forgetWebPush()]);
    reloadSession(false);
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
        onSessionLost={() => reloadSession(true)}
        onSignOut={signOut}
      />
    );
  const isAsking = !session || session.setup || (!session.user && spectating === undefined);
  if (isAsking && (session ? isUnanswered : isUnreachable))
    return <StatusPage title={t("app.unreachable")} hint={t("app.unreachableHint")} busy />;
  if (isAsking) return <PageLoader />;
  if (!session.user && spectating === "on" && !sessionEnded)
    return (
      <ChatPage
        key={SPECTATOR_ID}
        userId={SPECTATOR_ID}
        mayManage={false}
        signIn={() => setSpectating("left")}
        onSessionLost={() => setSpectating("off")}
        onSignOut={() => {}}
      />
    );
  if (!session.user)
    return (
      <SignInPage
        lead={t("chat.signIn.lead")}
        audience="members"
        hint={
          <>
            {t("chat.signIn.hint")}
            {spectating !== "off" && (
              <>
                {" "}
                <Anchor
                  component="button"
                  type="button"
                  inherit
                  underline="always"
                  onClick={() => {
                    setSessionEnded(false);
                    setSpectating("on");
                  }}
                >
                  {t("spectator.back")}
                </Anchor>
              </>
            )}
          </>
        }
        sessionEnded={sessionEnded}
        onSignedIn={() => reloadSession(false)}
      />
    );
  const { user } = session;
  return (
    <ChatPage
      key={user.user_id}
      userId={user.user_id}
      mayManage={mayManage(session)}
      onSessionLost={() => reloadSession(true)}
      onSignOut={signOut}
    />
  );
}

/** Whether the chat is shown without an account. "left" means that this is possible, but the visitor chose to sign in. */
type Spectating = "on" | "off" | "left";

interface FollowedSpectating {
  /** Undefined until the server responds. */
  spectating: Spectating | undefined;
  setSpectating(spectating: Spectating): void;
  /** Several attempts had no response. */
  isUnanswered: boolean;
}

function useSpectating(client: Client, session: Session | undefined): FollowedSpectating {
  const [spectating, setSpectating] = useState<Spectating>();
  const [isUnanswered, setUnanswered] = useState(false);
  const isSignedOut = session !== undefined && !session.setup && !session.user;
  useEffect(() => {
    if (!isSignedOut) return;
    const controller = new AbortController();
    const { signal } = controller;
    const settle = (found: Spectating) => {
      setUnanswered(false);
      setSpectating(found);
    };
    askUntilAnswered({
      ask: (attempt) => client.call("GET /server_settings", {}, attempt),
      isFinal: isRefused,
      onError: () => setUnanswered(true),
      signal,
    }).then(
      ({ realm_web_public_access_enabled }) => settle(realm_web_public_access_enabled ? "on" : "off"),
      () => signal.aborted || settle("off"),
    );
    return () => controller.abort();
  }, [client, isSignedOut]);
  return { spectating, setSpectating, isUnanswered };
}

/** Whether a refusal is final: not a server error or a rate limit. */
const isRefused = (error: unknown): boolean => error instanceof Refusal && error.status < 500 && error.status !== 429;
