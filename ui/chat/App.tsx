import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { askUntilAnswered } from "../api/ask-until-answered.ts";
import { type Client, Refusal } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { mayManage, type Session } from "../api/session.ts";
import { endSession, useSession } from "../api/use-session.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { SignInPage } from "../parts/SignInPage.tsx";
import { StatusPage } from "../parts/StatusPage.tsx";
import classes from "./App.module.css";
import { ChatPage } from "./ChatPage.tsx";
import { SPECTATOR_ID } from "./model/spectating.ts";
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
  const { spectating, setSpectating, isUnanswered } = useSpectating(client, session);
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
                <button
                  type="button"
                  className={classes.link}
                  onClick={() => {
                    setSessionEnded(false);
                    setSpectating("on");
                  }}
                >
                  {t("spectator.back")}
                </button>
              </>
            )}
          </>
        }
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

/**
 * Whether the chat is read without an account: "left" where it may be and somebody would rather sign in; undefined until
 * the server has said so.
 */
type Spectating = "on" | "off" | "left";

interface FollowedSpectating {
  spectating: Spectating | undefined;
  setSpectating(spectating: Spectating): void;
  /** The server has not said so yet, after several attempts. */
  isUnanswered: boolean;
}

function useSpectating(client: Client, session: Session | undefined): FollowedSpectating {
  const [spectating, setSpectating] = useState<Spectating>();
  const [isUnanswered, setUnanswered] = useState(false);
  const isNobody = session !== undefined && !session.setup && !session.user;
  useEffect(() => {
    if (!isNobody) return;
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
  }, [client, isNobody]);
  return { spectating, setSpectating, isUnanswered };
}

/** The server has answered that it does not say so: not that it has trouble, or has been asked too often. */
const isRefused = (error: unknown): boolean => error instanceof Refusal && error.status < 500 && error.status !== 429;
