import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import type { Session } from "../api/session.ts";
import type { State } from "../api/state-shape.ts";
import { Store, useStore } from "../api/store.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import classes from "./ChatPage.module.css";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { Conversation } from "./Conversation.tsx";
import { ChatProvider } from "./chat-context.ts";
import { Inbox } from "./Inbox.tsx";
import { Chat } from "./model/chat.ts";
import { HOME_HASH, narrowKey } from "./model/narrow.ts";
import { Sidebar } from "./sidebar/Sidebar.tsx";
import { usePlace } from "./use-place.ts";
import { useTitle } from "./use-title.ts";

export interface ChatPageProps {
  user: NonNullable<Session["user"]>;
  onSessionLost(): void;
  onSignOut(): void;
}

const NO_STATE = new Store<State | undefined>(undefined);

/** The chat of who is signed in: a sidebar of conversations, and the open one. */
export function ChatPage({ user, onSessionLost, onSignOut }: ChatPageProps) {
  const client = useClient();
  const [chat, setChat] = useState<Chat>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: one chat for as long as the page shows this person
  useEffect(() => {
    const started = new Chat({ client, userId: user.user_id, onSignedOut: onSessionLost });
    setChat(started);
    const stop = () => started.stop();
    // A page that the browser restores from its cache has lost its queue.
    const reloadIfCached = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload();
    window.addEventListener("pagehide", stop);
    window.addEventListener("pageshow", reloadIfCached);
    return () => {
      window.removeEventListener("pagehide", stop);
      window.removeEventListener("pageshow", reloadIfCached);
      stop();
    };
  }, [client, user.user_id]);

  const isLoaded = useStore(chat?.state ?? NO_STATE, (state) => state !== undefined);
  if (!chat || !isLoaded) return <PageLoader />;
  return <LoadedChat chat={chat} role={user.role} onSignOut={onSignOut} />;
}

function LoadedChat({ chat, role, onSignOut }: { chat: Chat; role: number; onSignOut(): void }) {
  const { t } = useTranslation();
  const [place, go] = usePlace(chat.state);
  const isHome = ["", HOME_HASH].includes(window.location.hash);
  useTitle(chat, place);
  return (
    <ChatProvider value={{ chat, place, go }}>
      <main className={classes.page} data-home={isHome}>
        <button type="button" className={classes.skip} onClick={() => document.getElementById("conversation")?.focus()}>
          {t("chat.skip")}
        </button>
        <nav className={classes.sidebar} aria-label={t("chat.conversations")}>
          <Sidebar role={role} onSignOut={onSignOut} />
        </nav>
        <section className={classes.conversation} id="conversation" tabIndex={-1} aria-label={t("chat.conversation")}>
          <ConnectionBanner />
          {place.page === "inbox" ? (
            <Inbox />
          ) : (
            <Conversation key={narrowKey(place.narrow)} narrow={place.narrow} near={place.near} />
          )}
        </section>
      </main>
    </ChatProvider>
  );
}
