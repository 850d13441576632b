import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Client } from "../api/client.ts";
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
  const [spectating, setSpectating] = useSpectating(client, session);
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
  if (!session.user && spectating === undefined) return <PageLoader />;
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

function useSpectating(client: Client, session: Session | undefined) {
  const state = useState<Spectating>();
  const [, set] = state;
  const isNobody = session !== undefined && !session.setup && !session.user;
  useEffect(() => {
    if (!isNobody) return;
    client.call("GET /server_settings", {}).then(
      ({ realm_web_public_access_enabled }) => set(realm_web_public_access_enabled ? "on" : "off"),
      () => set("off"),
    );
  }, [client, isNobody]);
  return state;
}
