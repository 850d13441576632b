import { Button } from "@mantine/core";
import { CheckCheck, Hash, Pencil, Search, TextSearch, Users } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Refusal } from "../../api/client.ts";
import { useStore } from "../../api/store.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { useNow } from "../../parts/use-now.ts";
import { TOPIC_ACTIONS, type TopicThing } from "../actions/topic.ts";
import { useActions } from "../actions/use-actions.ts";
import { ChannelMenu } from "../channels/ChannelMenu.tsx";
import { TopicMenu } from "../channels/TopicMenu.tsx";
import { useChat, useChatState, usePageState } from "../chat-context.ts";
import { Composer } from "../composer/Composer.tsx";
import { FeedView } from "../feed/FeedView.tsx";
import { OutgoingMessages } from "../feed/OutgoingMessages.tsx";
import { readingPosition } from "../feed/reading-position.ts";
import { useMarkRead } from "../feed/use-mark-read.ts";
import type { Chat } from "../model/chat.ts";
import { isWritten } from "../model/drafts.ts";
import type { Feed } from "../model/feed.ts";
import { conversationOf } from "../model/feed-state.ts";
import { isConversation, type Narrow, narrowKey, narrowTerms } from "../model/narrow.ts";
import { closedBecause } from "../model/permissions.ts";
import type { ReadScope } from "../model/reading.ts";
import { searchText, unclearTerms } from "../model/search.ts";
import { channelById, personById, presenceOf } from "../model/selectors.ts";
import { isSomethingUnread, unreadCounts } from "../model/unread.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { panelSearch, panelSection, usePanel } from "../panel/use-panel.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { PageHeader } from "../parts/PageHeader.tsx";
import { Presence } from "../parts/Presence.tsx";
import { useUnclearSentence } from "../parts/unclear-term.ts";
import { VIEW_ICONS } from "../parts/view-icons.ts";
import { usePresenceText } from "../people/use-presence-text.ts";
import { ChannelIcon } from "../sidebar/ChannelItem.tsx";
import { addressIn } from "../use-place.ts";
import classes from "./Conversation.module.css";
import { SignInToWrite } from "./SignInToWrite.tsx";

const MoveForm = lazyPart(() => import("../channels/MoveForm.tsx").then((all) => ({ default: all.MoveForm })));

export interface ConversationProps {
  narrow: Narrow;
  /** The message to open at. */
  near: number | undefined;
}

export function Conversation({ narrow, near }: ConversationProps) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  const feed = chat.feed(narrow);
  // Before the first render, which scrolls to the first unread message.
  useState(() => feed.comeBack(readingPosition()?.id ?? near, (id) => chat.isSeen(id)));
  const feedState = useStore(feed.store, (value) => value);
  const notice = usePageState((page) => page.notice);
  const isMoving = usePageState((page) => page.move !== undefined);
  const closed = useChatState((state) => (isWritten(narrow) ? closedBecause(state, narrow) : undefined));
  const isGone = closed === "gone";
  const isUnloaded = feedState.error !== undefined && !feedState.isLoaded;

  const shown = useRef<{ first: number; last: number }>(undefined);
  const [first, last] = [feedState.messages[0]?.id, feedState.messages.at(-1)?.id];
  if (first !== undefined && last !== undefined) shown.current = { first, last };
  const isEmpty = feedState.isLoaded && feedState.messages.length === 0;

  // Opens the feed, and follows a conversation that was moved.
  useEffect(() => {
    let isLeft = false;
    const open = async () => {
      const at = readingPosition()?.id ?? near;
      if (!feed.store.value.isLoaded || (at !== undefined && !feed.has(at))) await feed.open(at);
      const wanted = near ?? (isEmpty ? shown.current?.last : undefined);
      const isLoaded = feed.store.value.isLoaded && feed.store.value.error === undefined;
      if (wanted === undefined || !isLoaded || isLeft || feed.has(wanted)) return;
      let narrow = await conversationNow(chat, wanted);
      // The last message may be a notice that the server deletes: that the topic was resolved.
      const isNotice = narrow === "gone" && near === undefined;
      if (isNotice && shown.current) narrow = await conversationNow(chat, shown.current.first);
      if (isLeft) return;
      if (narrow === "gone" && near !== undefined)
        page.update((before) => ({ ...before, notice: t("chat.linkedGone") }));
      if (!narrow || narrow === "gone" || !isConversation(feed.narrow)) return;
      if (narrowKey(narrow) === narrowKey(feed.narrow)) return;
      if (isWritten(feed.narrow) && isWritten(narrow)) chat.drafts.move(feed.narrow, narrow);
      const place = { page: "messages", narrow, near: isNotice ? undefined : wanted } as const;
      window.location.replace(addressIn(chat.state.value, place));
    };
    void open();
    return () => {
      isLeft = true;
    };
  }, [chat, page, feed, near, isEmpty, t]);

  return (
    <div className={classes.conversation}>
      <PageHeader
        title={title}
        icon={<NarrowIcon narrow={narrow} />}
        context={<Context narrow={narrow} />}
        tools={<Tools narrow={narrow} newest={feedState.messages.at(-1)?.id} />}
      />
      {isMoving && <MoveForm />}
      {isUnloaded ? (
        <div className={classes.unloaded}>
          <NotLoaded feed={feed} error={feedState.error} isGone={isGone} />
          <OutgoingMessages feed={feed} after={undefined} />
        </div>
      ) : (
        <FeedView feed={feed} near={near} />
      )}
      <div role="status" className={classes.notice}>
        {notice}
      </div>
      {chat.isSpectator ? (
        <SignInToWrite />
      ) : (
        <Composer
          key={narrowKey(narrow)}
          narrow={narrow}
          isReasonAbove={isUnloaded && (isGone || (closed === "unknown" && feedState.error instanceof Refusal))}
        />
      )}
    </div>
  );
}

/** Explains why there are no messages. The banner reports a server that does not respond. */
function NotLoaded({ feed, error, isGone }: { feed: Feed; error: unknown; isGone: boolean }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const refusal = error instanceof Refusal ? error : undefined;
  const [unclear] = unclearTerms(chat.state.value ?? {}, narrowTerms(feed.narrow));
  const unclearSentence = useUnclearSentence();
  const explanation = () => {
    if (!refusal) return t("chat.awaitsServer");
    if (chat.isSpectator) return t("spectator.hidden");
    if (isGone) return t("writing.closed.gone");
    if (feed.narrow.kind === "direct" && closedBecause(chat.state.value ?? {}, feed.narrow) === "unknown")
      return t("writing.closed.unknown");
    if (refusal.code !== "BAD_NARROW") return errorMessage(error);
    if (feed.narrow.kind === "direct") return t("writing.closed.unknown");
    return unclear ? unclearSentence(unclear) : t("search.unclear.other");
  };
  const canRetry = !refusal || refusal.status >= 500 || refusal.status === 429;
  return (
    <>
      <p className={refusal && classes.refused} role="alert">
        {explanation()}
      </p>
      {canRetry && (
        <Button size="xs" variant="default" onClick={() => feed.retry()}>
          {t("chat.outgoing.retry")}
        </Button>
      )}
      {isGone && !chat.isSpectator && (
        <Button
          size="xs"
          variant="default"
          onClick={() => page.update((before) => ({ ...before, dialog: { kind: "browse" } }))}
        >
          {t("chat.browseChannels")}
        </Button>
      )}
    </>
  );
}

/** The current conversation of a linked message; "gone" if it was deleted or the viewer cannot read it. */
const conversationNow = (chat: Chat, id: number): Promise<Narrow | "gone" | undefined> =>
  chat.client
    .call("GET /messages/{message_id}", { message_id: id, allow_empty_topic_name: true })
    .then(({ message }) => conversationOf(message, chat.userId))
    .catch((error: unknown) => (error instanceof Refusal && error.status < 429 ? "gone" : undefined));

function NarrowIcon({ narrow }: { narrow: Narrow }): ReactNode {
  const channel = useChatState((state) => ("channelId" in narrow ? channelById(state, narrow.channelId) : undefined));
  if (channel) return <ChannelIcon channel={channel} />;
  if (narrow.kind === "search") return <Search size="1.125rem" />;
  if ("channelId" in narrow) return <Hash size="1.125rem" />;
  if (narrow.kind !== "direct") {
    const Icon = VIEW_ICONS[narrow.kind];
    return <Icon size="1.125rem" />;
  }
  return <DirectIcon userIds={narrow.userIds} />;
}

/** A person's picture and presence, or an icon for several people. */
function DirectIcon({ userIds: [only, ...others] }: { userIds: readonly number[] }): ReactNode {
  const now = useNow();
  const person = useChatState((state) =>
    only === undefined || others.length > 0 ? undefined : personById(state, only),
  );
  const presence = useChatState((state) => (person ? presenceOf(state, person.user_id, now) : undefined));
  if (!person) return <Users size="1.125rem" />;
  return (
    <span className={classes.person}>
      <img src={person.avatar_url} alt="" width={28} height={28} />
      {!person.is_bot && (
        <span className={classes.presence}>
          <Presence presence={presence} />
        </span>
      )}
    </span>
  );
}

/** The channel of a topic, the description of a channel, or whether a person is online. */
function Context({ narrow }: { narrow: Narrow }): ReactNode {
  const { chat } = useChat();
  const person = useChatState((state) => {
    const [only, ...others] = narrow.kind === "direct" ? narrow.userIds : [];
    return only === undefined || others.length > 0 || only === chat.userId ? undefined : personById(state, only);
  });
  const channel = useChatState((state) => ("channelId" in narrow ? channelById(state, narrow.channelId) : undefined));
  if (person?.is_active && !person.is_bot) return <PresenceText userId={person.user_id} />;
  if (!channel) return null;
  if (narrow.kind === "channel") return channel.description || null;
  const place = { page: "messages", narrow: { kind: "channel", channelId: channel.stream_id } } as const;
  return (
    <a href={addressIn(chat.state.value, place)}>
      <bdi>{channel.name}</bdi>
    </a>
  );
}

const PresenceText = ({ userId }: { userId: number }): ReactNode => usePresenceText(userId);

interface ToolsProps {
  narrow: Narrow;
  newest: number | undefined;
}

function Tools({ narrow, newest }: ToolsProps) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const [, setPanel] = usePanel();
  if (narrow.kind === "search") {
    const text = searchText(chat.state.value ?? {}, narrow.terms);
    return (
      <>
        <IconButton
          onClick={() => page.update((before) => ({ ...before, dialog: { kind: "palette", mode: "search", text } }))}
          label={t("search.change")}
        >
          <Pencil size="1.0625rem" aria-hidden="true" />
        </IconButton>
        {!chat.isSpectator && (
          <IconButton
            onClick={() => {
              panelSearch.set({ text, isHere: false });
              panelSection.set("search");
              setPanel(true);
            }}
            label={t("search.beside")}
          >
            <TextSearch size="1.0625rem" aria-hidden="true" />
          </IconButton>
        )}
      </>
    );
  }
  if (chat.isSpectator) return null;
  if (narrow.kind === "channel") return <ChannelMenu channelId={narrow.channelId} />;
  if (narrow.kind === "topic")
    return <TopicTools channelId={narrow.channelId} topic={narrow.topic} messageId={newest} />;
  if (narrow.kind === "direct") return <MarkRead scope={narrow} />;
  if (narrow.kind === "directs") return <MarkRead scope={{ kind: "directs" }} />;
  return narrow.kind === "feed" ? <MarkRead scope={{ kind: "everything" }} /> : null;
}

function MarkRead({ scope, className }: { scope: ReadScope; className?: string | undefined }) {
  const { t } = useTranslation();
  const markRead = useMarkRead();
  const hasUnread = useChatState((state) => {
    if (scope.kind === "everything") return isSomethingUnread(state);
    const counts = unreadCounts(state);
    return (scope.kind === "directs" ? counts.direct : (counts.conversations.get(narrowKey(scope)) ?? 0)) > 0;
  });
  const label = t(scope.kind === "everything" ? "chat.markEverythingRead" : "chat.markRead");
  if (!hasUnread) return null;
  return (
    <IconButton className={className} onClick={() => markRead(scope)} label={label}>
      <CheckCheck size="1.125rem" aria-hidden="true" />
    </IconButton>
  );
}

function TopicTools(topic: TopicThing) {
  const tools = useActions(TOPIC_ACTIONS, "toolbar", topic);
  return (
    <>
      <MarkRead
        scope={{ kind: "topic", channelId: topic.channelId, topic: topic.topic }}
        className={classes.inMenuOnPhones}
      />
      {tools.map(({ id, text, Icon, run }) => (
        <IconButton key={id} className={classes.inMenuOnPhones} onClick={run} label={text}>
          {Icon && <Icon size="1.125rem" aria-hidden="true" />}
        </IconButton>
      ))}
      <TopicMenu {...topic} />
    </>
  );
}
