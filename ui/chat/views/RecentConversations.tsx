import { Button, VisuallyHidden } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { useChat, useChatState, useDerived } from "../chat-context.ts";
import { narrowKey } from "../model/narrow.ts";
import type { RecentConversation } from "../model/recent.ts";
import { channelById, personById } from "../model/selectors.ts";
import { isTopicMuted } from "../model/topic-policies.ts";
import { unreadCounts } from "../model/unread.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { PageHeader } from "../parts/PageHeader.tsx";
import { UnreadCount } from "../parts/UnreadCount.tsx";
import { addressIn } from "../use-place.ts";
import classes from "./RecentConversations.module.css";

/** Limits how often older messages are loaded automatically to fill the window. */
const MAX_FILLING_LOADS = 8;

const FILTERS = ["all", "unreadOnly", "withMe"] as const;
type Filter = (typeof FILTERS)[number];

/** Conversations by their newest message. */
export function RecentConversations() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [filter, setFilter] = useState<Filter>("all");
  const { conversations, isLoaded, foundOldest, error } = useStore(chat.recent.store, (value) => value);
  useEffect(() => chat.recent.load(), [chat]);
  const scroller = useRef<HTMLDivElement>(null);
  const filling = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each load
  useEffect(() => {
    const box = scroller.current;
    if (!box || !isLoaded || foundOldest || error !== undefined || filter !== "all") return;
    if (box.scrollHeight > box.clientHeight || filling.current >= MAX_FILLING_LOADS) return;
    filling.current += 1;
    void chat.recent.loadOlder();
  }, [chat, conversations, isLoaded, foundOldest, error, filter]);

  const shown = useDerived((state) => {
    const counts = unreadCounts(state).conversations;
    return conversations.flatMap((conversation) => {
      const { narrow, hasOwn } = conversation;
      const unread = counts.get(narrowKey(narrow)) ?? 0;
      if (narrow.kind === "topic" && isTopicMuted(state, narrow.channelId, narrow.topic)) return [];
      const fits = filter === "withMe" ? hasOwn || narrow.kind === "direct" : filter === "all" || unread > 0;
      return fits ? [{ conversation, unread }] : [];
    });
  });
  return (
    <>
      <PageHeader title={t("views.recent")} />
      <div className={classes.page} ref={scroller}>
        <fieldset className={classes.filters}>
          <VisuallyHidden component="legend">{t("views.recentList.show")}</VisuallyHidden>
          {FILTERS.map((one) => (
            <button
              key={one}
              type="button"
              className={classes.filter}
              aria-pressed={filter === one}
              onClick={() => setFilter(one)}
            >
              {t(`views.recentList.${one}`)}
            </button>
          ))}
        </fieldset>
        {error !== undefined && (
          <p className={classes.empty} role="alert">
            {errorMessage(error)}
          </p>
        )}
        <ul className={classes.list} aria-busy={!isLoaded}>
          {shown.map(({ conversation, unread }) => (
            <Line key={narrowKey(conversation.narrow)} conversation={conversation} unread={unread} />
          ))}
        </ul>
        {isLoaded && shown.length === 0 && <p className={classes.empty}>{t("views.recentList.empty")}</p>}
        {isLoaded && !foundOldest && (
          <Button variant="default" size="xs" onClick={() => void chat.recent.loadOlder()}>
            {t("views.recentList.older")}
          </Button>
        )}
      </div>
    </>
  );
}

function Line({ conversation, unread }: { conversation: RecentConversation; unread: number }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const narrowTitle = useNarrowTitle();
  const { narrow, senders, timestamp } = conversation;
  const title = useChatState((state) => narrowTitle(state, narrow));
  const channelName = useChatState((state) =>
    narrow.kind === "topic" ? (channelById(state, narrow.channelId)?.name ?? t("chat.unknownChannel")) : undefined,
  );
  const people = senders.map((id) => personById(chat.state.value ?? {}, id)).filter((person) => person !== undefined);
  return (
    <li>
      <a
        className={classes.line}
        data-unread={unread > 0}
        href={addressIn(chat.state.value, { page: "messages", narrow })}
      >
        <span className={classes.names}>
          <span className={classes.within}>
            <bdi>{channelName ?? t("chat.directMessages")}</bdi>
          </span>
          <span className={classes.title}>
            <bdi>{title}</bdi>
          </span>
        </span>
        <span className={classes.people}>
          <VisuallyHidden component="span">
            {t("views.recentList.with", { names: people.map(({ full_name }) => full_name).join(", ") })}
          </VisuallyHidden>
          {people.map((person) => (
            <img
              key={person.user_id}
              src={person.avatar_url}
              alt=""
              title={person.full_name}
              width={22}
              height={22}
              loading="lazy"
            />
          ))}
        </span>
        <span className={classes.time}>
          <RelativeTime at={timestamp * 1000} />
        </span>
        {unread > 0 ? <UnreadCount count={unread} className={classes.count} /> : <span className={classes.count} />}
      </a>
    </li>
  );
}
