import { QueryClientProvider } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { stopWithPage } from "../api/page-life.ts";
import { createQueryClient } from "../api/query-client.ts";
import type { State } from "../api/state-shape.ts";
import { Store, useStore } from "../api/store.ts";
import { addTexts } from "../locales/i18n.ts";
import { isSameTopic } from "../parts/folded.ts";
import { lazyPart } from "../parts/lazy-part.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { noticesShown } from "../parts/settings/notices-shown.ts";
import { OrganizationProvider } from "../parts/settings/organization-context.ts";
import { Appearance } from "./Appearance.tsx";
import { type CardState, useEarlyKeys } from "./actions/early-keys.ts";
import { useShortcuts } from "./actions/use-shortcuts.ts";
import classes from "./ChatPage.module.css";
import { ChatProvider, useChat } from "./chat-context.ts";
import { useFileGuard } from "./composer/use-file-guard.ts";
import { Dialogs } from "./Dialogs.tsx";
import { adminAddressAt } from "./model/admin-addresses.ts";
import { Chat } from "./model/chat.ts";
import { HOME_HASH, isUnclear, narrowKey, type Place } from "./model/narrow.ts";
import type { OfflineCopy } from "./model/offline-copy.ts";
import { Notifications } from "./notifications/Notifications.tsx";
import { PageTitle } from "./PageTitle.tsx";
import { type FocusTarget, INITIAL_PAGE, type Move, type PageState } from "./page-state.ts";
import { usePanel } from "./panel/use-panel.ts";
import bannerClasses from "./parts/Banners.module.css";
import { ConnectionBanner } from "./parts/ConnectionBanner.tsx";
import { MENU_HOST_ID } from "./parts/menu-host.ts";
import { CardDialogs } from "./people/CardDialogs.tsx";
import { CardProvider, type OpenCard } from "./people/open-card.ts";
import { settingsAt } from "./settings/sections.ts";
import { SettingsPage } from "./settings/settings-part.ts";
import { Sidebar } from "./sidebar/Sidebar.tsx";
import { enterOverlay, leaveOverlay, useOverlay, usePlace, usePlaceHash } from "./use-place.ts";
import { Conversation } from "./views/Conversation.tsx";
import { Inbox } from "./views/Inbox.tsx";

export interface ChatPageProps {
  userId: number;
  mayManage: boolean;
  /** Shown until the server responds. */
  copy?: OfflineCopy;
  /** Without an account: opens the sign-in page. */
  signIn?(): void;
  onSessionLost(): void;
  onSignOut(): void;
}

const NoticeArea = lazyPart(() =>
  import("../parts/settings/NoticeArea.tsx").then(({ NoticeArea }) => ({ default: NoticeArea })),
);
const UnclearAddress = lazyPart(async () => {
  const [{ UnclearAddress }, { unclearAddressTexts }] = await Promise.all([
    import("./parts/UnclearAddress.tsx"),
    import("../locales/en/unclear-address.ts"),
  ]);
  await addTexts(unclearAddressTexts, (language) => import(`../locales/${language}/bundles/unclear-address.ts`));
  return { default: UnclearAddress };
});
const SidePanel = lazyPart(() => import("./panel/SidePanel.tsx").then((all) => ({ default: all.SidePanel })));
const ChannelTopics = lazyPart(
  () => import("./channels/ChannelTopics.tsx").then((all) => ({ default: all.ChannelTopics })),
  PageLoader,
);
const Tooltips = lazyPart(() => import("./parts/Tooltips.tsx").then((all) => ({ default: all.Tooltips })));
const UnsentBanner = lazyPart(() => import("./parts/UnsentBanner.tsx").then((all) => ({ default: all.UnsentBanner })));
// Most visits start at the inbox or a conversation, so the other pages load later.
const RecentConversations = lazyPart(
  () => import("./views/RecentConversations.tsx").then((all) => ({ default: all.RecentConversations })),
  PageLoader,
);
const PublicChannels = lazyPart(
  () => import("./views/PublicChannels.tsx").then((all) => ({ default: all.PublicChannels })),
  PageLoader,
);
const DraftList = lazyPart(
  () => import("./views/DraftList.tsx").then((all) => ({ default: all.DraftList })),
  PageLoader,
);
const ScheduledList = lazyPart(
  () => import("./views/ScheduledList.tsx").then((all) => ({ default: all.ScheduledList })),
  PageLoader,
);
const ReminderList = lazyPart(
  () => import("./views/ReminderList.tsx").then((all) => ({ default: all.ReminderList })),
  PageLoader,
);
const NO_STATE = new Store<State | undefined>(undefined);

export function ChatPage({ userId, mayManage, copy, signIn, onSessionLost, onSignOut }: ChatPageProps) {
  const client = useClient();
  const [chat, setChat] = useState<Chat>();
  const [queries] = useState(createQueryClient);

  // biome-ignore lint/correctness/useExhaustiveDependencies: one Chat per user
  useEffect(() => {
    const started = new Chat({ client, userId, copy, onSignedOut: onSessionLost });
    setChat(started);
    return stopWithPage(() => started.stop());
  }, [client, userId]);

  const isLoaded = useStore(chat?.state ?? NO_STATE, (state) => state !== undefined);
  if (!chat || !isLoaded) return <PageLoader />;
  return (
    <QueryClientProvider client={queries}>
      <LoadedChat chat={chat} mayManage={mayManage} signIn={signIn} onSignOut={onSignOut} />
    </QueryClientProvider>
  );
}

interface LoadedChatProps {
  chat: Chat;
  mayManage: boolean;
  signIn: (() => void) | undefined;
  onSignOut(): void;
}

function LoadedChat({ chat, mayManage, signIn, onSignOut }: LoadedChatProps) {
  const { t } = useTranslation();
  const [place, goTo] = usePlace(chat.state);
  const hash = usePlaceHash();
  const overlay = useOverlay();
  const settings = settingsAt(hash);
  const [card, setCard] = useState<OpenCard>();
  const [showsPanel] = usePanel();
  const [page] = useState(() => new Store<PageState>(INITIAL_PAGE));
  const go = useCallback(
    (next: Place, focus: FocusTarget = "composer") => {
      page.update(({ forwarding, insertion, ...before }) => ({
        ...before,
        focus,
        dialog: undefined,
        forwarding: undefined,
        insertion: forwarding ?? insertion,
      }));
      goTo(next);
    },
    [page, goTo],
  );
  // Opening another place resets the state of this one.
  useEffect(() => {
    page.update((before) => ({
      ...before,
      editing: undefined,
      picking: undefined,
      menu: undefined,
      move: movesHere(before.move, place) ? before.move : undefined,
      notice: undefined,
      keepsUnread: false,
      dialog: undefined,
      forwarding: undefined,
    }));
  }, [place, page]);
  const wasOverlay = useRef(false);
  useEffect(() => {
    const close = () => {
      setCard(undefined);
      page.update((before) => ({ ...before, dialog: undefined }));
    };
    if (!overlay || (chat.isSpectator && overlay.kind !== "help")) {
      // Back closes the dialog that a URL opened.
      if (wasOverlay.current) close();
      wasOverlay.current = false;
      return;
    }
    wasOverlay.current = true;
    enterOverlay();
    close();
    switch (overlay.kind) {
      case "person":
      case "group":
      case "channel":
        setCard(overlay);
        break;
      default:
        page.update((before) => ({ ...before, dialog: overlay }));
    }
  }, [chat, overlay, page]);
  const closeCard = () => {
    setCard(undefined);
    leaveOverlay();
  };
  const hasNotices = useStore(noticesShown, (shown) => shown);
  const hasTooltips = useTooltips();
  const hasUnsent = useStore(chat.outbox.store, (all) => all.some(({ state }) => state === "failed"));
  const isGuest = useStore(chat.state, (state) => state?.is_guest === true);
  const adminAddress = adminAddressAt(hash, { mayManage, isGuest: isGuest || chat.isSpectator });
  useEffect(() => {
    if (adminAddress !== undefined) window.location.replace(adminAddress);
  }, [adminAddress]);
  const isHome = ["", HOME_HASH].includes(hash);
  // The context changes only with the place, because a new one renders all messages again.
  const context = useMemo(
    () => ({ chat, place, page, go, signIn, mayManage, signOut: onSignOut }),
    [chat, place, page, go, signIn, mayManage, onSignOut],
  );
  return (
    <ChatProvider value={context}>
      <OrganizationProvider value={chat.state}>
        <CardProvider value={chat.isSpectator ? showNoCard : setCard}>
          <PageTitle />
          <Appearance />
          {!chat.isSpectator && <Notifications />}
          <Shortcuts card={card} closeCard={closeCard} />
          <Dialogs />
          {hasTooltips && <Tooltips />}
          {hasNotices && <NoticeArea className={classes.notices} />}
          <main id={MENU_HOST_ID} className={classes.page} data-home={isHome} data-panel={showsPanel}>
            <button
              type="button"
              className={classes.skip}
              onClick={() => document.getElementById("conversation")?.focus()}
            >
              {t("chat.skip")}
            </button>
            <nav className={classes.sidebar} aria-label={t("chat.conversations")}>
              <Sidebar />
            </nav>
            <section
              className={classes.conversation}
              id="conversation"
              tabIndex={-1}
              aria-label={t("chat.conversation")}
            >
              <div className={classes.banners}>
                <ConnectionBanner />
                <div role="status" className={bannerClasses.region}>
                  {adminAddress === undefined && isUnclear(hash) && <UnclearAddress hash={hash} />}
                </div>
                <div role="status" className={bannerClasses.region}>
                  {hasUnsent && <UnsentBanner />}
                </div>
              </div>
              {settings && !chat.isSpectator ? <SettingsPage section={settings} /> : <Open place={place} />}
            </section>
            {showsPanel && !isHome && !chat.isSpectator && (
              <SidePanel narrow={place.page === "messages" ? place.narrow : undefined} />
            )}
          </main>
          <CardDialogs dialog={card} onClose={closeCard} />
        </CardProvider>
      </OrganizationProvider>
    </ChatProvider>
  );
}

/** Whether the messages of the move form are in the open conversation. */
function movesHere(move: Move | undefined, place: Place): boolean {
  if (!move || place.page !== "messages" || !("channelId" in place.narrow)) return false;
  const { narrow } = place;
  return narrow.channelId === move.channelId && (narrow.kind === "channel" || isSameTopic(narrow.topic, move.topic));
}

/** Without an account, people have no cards. */
const showNoCard = () => {};

function Open({ place }: { place: Place }) {
  const { chat } = useChat();
  if (chat.isSpectator && place.page !== "messages" && place.page !== "topics") return <PublicChannels />;
  switch (place.page) {
    case "messages":
      return <Conversation key={narrowKey(place.narrow)} narrow={place.narrow} near={place.near} />;
    case "topics":
      return <ChannelTopics key={place.channelId} channelId={place.channelId} />;
    case "recent":
      return <RecentConversations />;
    case "inbox":
      return <Inbox />;
    case "drafts":
      return <DraftList />;
    case "scheduled":
      return <ScheduledList />;
    case "reminders":
      return <ReminderList />;
  }
}

/**
 * Handles keys and dropped files of the whole page. Must be inside the provider, because the keys act on the open
 * place.
 */
function Shortcuts(opened: CardState) {
  useEarlyKeys(opened);
  useShortcuts();
  useFileGuard();
  return null;
}

/** Whether the mouse or the keyboard has reached something with a tooltip. */
function useTooltips(): boolean {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    const onReach = ({ target }: Event) => {
      if ((target as Element).closest("[data-tooltip]")) setWanted(true);
    };
    document.addEventListener("pointerover", onReach);
    document.addEventListener("focusin", onReach);
    return () => {
      document.removeEventListener("pointerover", onReach);
      document.removeEventListener("focusin", onReach);
    };
  }, []);
  return isWanted;
}
