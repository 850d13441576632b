import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { stopWithPage } from "../api/page-life.ts";
import type { State } from "../api/state-shape.ts";
import { Store, useStore } from "../api/store.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { Appearance } from "./Appearance.tsx";
import classes from "./ChatPage.module.css";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { Conversation } from "./Conversation.tsx";
import { ChatProvider } from "./chat-context.ts";
import { Inbox } from "./Inbox.tsx";
import { Chat } from "./model/chat.ts";
import { HOME_HASH, narrowKey } from "./model/narrow.ts";
import { Badge } from "./notifications/Badge.tsx";
import { Notifications } from "./notifications/Notifications.tsx";
import { PageTitle } from "./PageTitle.tsx";
import { SidePanel } from "./panel/SidePanel.tsx";
import { usePanel } from "./panel/use-panel.ts";
import { CardDialogs } from "./people/CardDialogs.tsx";
import { CardProvider, type OpenCard } from "./people/open-card.ts";
import { settingsAt } from "./settings/sections.ts";
import { Sidebar } from "./sidebar/Sidebar.tsx";
import { usePlace } from "./use-place.ts";

export interface ChatPageProps {
  userId: number;
  mayManage: boolean;
  onSessionLost(): void;
  onSignOut(): void;
}

const SettingsPage = lazy(() => import("./settings/SettingsPage.tsx").then((all) => ({ default: all.SettingsPage })));
const NO_STATE = new Store<State | undefined>(undefined);

/** The chat of who is signed in: a sidebar of conversations, and the open one. */
export function ChatPage({ userId, mayManage, onSessionLost, onSignOut }: ChatPageProps) {
  const client = useClient();
  const [chat, setChat] = useState<Chat>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: one chat for as long as the page shows this person
  useEffect(() => {
    const started = new Chat({ client, userId, onSignedOut: onSessionLost });
    setChat(started);
    return stopWithPage(() => started.stop());
  }, [client, userId]);

  const isLoaded = useStore(chat?.state ?? NO_STATE, (state) => state !== undefined);
  if (!chat || !isLoaded) return <PageLoader />;
  return <LoadedChat chat={chat} mayManage={mayManage} onSignOut={onSignOut} />;
}

function LoadedChat({ chat, mayManage, onSignOut }: { chat: Chat; mayManage: boolean; onSignOut(): void }) {
  const { t } = useTranslation();
  const [place, go] = usePlace(chat.state);
  const settings = settingsAt(window.location.hash);
  const [card, setCard] = useState<OpenCard>();
  const [showsPanel] = usePanel();
  const isHome = ["", HOME_HASH].includes(window.location.hash);
  // The same object until one goes elsewhere: else each event would draw all messages.
  const context = useMemo(() => ({ chat, place, go }), [chat, place, go]);
  return (
    <ChatProvider value={context}>
      <CardProvider value={setCard}>
        <PageTitle />
        <Appearance />
        <Notifications />
        <Badge />
        <main className={classes.page} data-home={isHome} data-panel={showsPanel}>
          <button
            type="button"
            className={classes.skip}
            onClick={() => document.getElementById("conversation")?.focus()}
          >
            {t("chat.skip")}
          </button>
          <nav className={classes.sidebar} aria-label={t("chat.conversations")}>
            <Sidebar mayManage={mayManage} onSignOut={onSignOut} />
          </nav>
          <section className={classes.conversation} id="conversation" tabIndex={-1} aria-label={t("chat.conversation")}>
            <ConnectionBanner />
            {settings ? (
              <Suspense fallback={<PageLoader />}>
                <SettingsPage section={settings} />
              </Suspense>
            ) : place.page === "inbox" ? (
              <Inbox />
            ) : (
              <Conversation key={narrowKey(place.narrow)} narrow={place.narrow} near={place.near} />
            )}
          </section>
          {showsPanel && !isHome && <SidePanel narrow={place.page === "messages" ? place.narrow : undefined} />}
        </main>
        <CardDialogs dialog={card} onClose={() => setCard(undefined)} />
      </CardProvider>
    </ChatProvider>
  );
}
