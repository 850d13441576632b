import { Button } from "@mantine/core";
import { MessagesSquare, SquarePen } from "lucide-react";
import { memo, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { type Excerpt, MAX_EXCERPTS } from "../model/excerpts.ts";
import { narrowKey } from "../model/narrow.ts";
import { isMuted } from "../model/people.ts";
import { channelById, personById } from "../model/selectors.ts";
import { isTopicMuted } from "../model/topic-policies.ts";
import { unreadCounts } from "../model/unread.ts";
import { LineTexts } from "../parts/LineTexts.tsx";
import { PageHeader } from "../parts/PageHeader.tsx";
import { MentionMark, UnreadCount } from "../parts/UnreadCount.tsx";
import { ChannelIcon } from "../sidebar/ChannelItem.tsx";
import { addressIn } from "../use-place.ts";
import inbox from "../views/Inbox.module.css";
import { ChannelMenu } from "./ChannelMenu.tsx";
import classes from "./ChannelTopics.module.css";

/** All topics of a channel, the newest first. On a phone, it opens between the channels and a topic. */
export function ChannelTopics({ channelId }: { channelId: number }) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const channel = useChatState((state) => channelById(state, channelId));
  const topics = useStore(chat.topics.store, (all) => all[channelId]);
  useEffect(() => void chat.topics.load(channelId), [chat, channelId]);
  const excerpts = useStore(chat.excerpts.store, (known) => known);
  const newest = topics?.map(({ max_id }) => max_id) ?? [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list of the same messages needs no request
  useEffect(() => {
    if (!chat.isSpectator) void chat.excerpts.load(newest.slice(0, MAX_EXCERPTS));
  }, [chat, newest.join()]);
  const all = { page: "messages", narrow: { kind: "channel", channelId } } as const;
  return (
    <>
      <PageHeader
        title={channel?.name ?? t("chat.unknownChannel")}
        icon={channel && <ChannelIcon channel={channel} />}
        context={channel?.description || null}
        tools={!chat.isSpectator && <ChannelMenu channelId={channelId} />}
      />
      <div className={inbox.inbox}>
        <div className={classes.actions}>
          <Button
            component="a"
            href={addressIn(chat.state.value, all)}
            variant="default"
            size="sm"
            leftSection={<MessagesSquare size="1rem" aria-hidden="true" />}
          >
            {t("topics.allMessages")}
          </Button>
          {!chat.isSpectator && (
            <Button
              variant="default"
              size="sm"
              onClick={() => go(all, "topic")}
              leftSection={<SquarePen size="1rem" aria-hidden="true" />}
            >
              {t("topics.new")}
            </Button>
          )}
        </div>
        {topics?.length === 0 && <p className={classes.empty}>{t("topics.none")}</p>}
        <ul className={`${inbox.lines} ${classes.topics}`} aria-label={t("chat.topics")}>
          {topics?.map(({ name, max_id }) => (
            <TopicLine key={name} channelId={channelId} topic={name} excerpt={excerpts.get(max_id)} />
          ))}
        </ul>
      </div>
    </>
  );
}

interface TopicLineProps {
  channelId: number;
  topic: string;
  /** The beginning of the newest message. */
  excerpt: Excerpt | undefined;
}

/** There may be thousands, so a line is drawn only when something that it shows changes. */
const TopicLine = memo(function TopicLine({ channelId, topic, excerpt }: TopicLineProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const narrow = { kind: "topic", channelId, topic } as const;
  const key = narrowKey(narrow);
  const mutes = useChatState((state) => isTopicMuted(state, channelId, topic));
  const unread = useChatState((state) => unreadCounts(state).conversations.get(key) ?? 0);
  const isMentioned = useChatState((state) => unreadCounts(state).mentioned.has(key));
  const hidesExcerpt = useChatState((state) => excerpt !== undefined && isMuted(state, excerpt.senderId));
  const sender = useChatState((state) => excerpt && personById(state, excerpt.senderId)?.full_name);
  const shown = hidesExcerpt ? undefined : excerpt;
  const count = mutes ? 0 : unread;
  return (
    <li>
      <a
        className={inbox.line}
        href={addressIn(chat.state.value, { page: "messages", narrow })}
        data-unread={count > 0}
        data-muted={mutes}
      >
        <LineTexts
          title={topic === "" ? t("chat.generalTopic") : topic}
          excerpt={shown}
          sender={shown && sender}
          nameClass={classes.name}
        />
        <span className={classes.end}>
          {shown && (
            <span className={classes.time}>
              <RelativeTime at={shown.timestamp * 1000} />
            </span>
          )}
          {(isMentioned || count > 0) && (
            <span className={classes.counts}>
              {isMentioned && <MentionMark />}
              {count > 0 && <UnreadCount count={count} className={inbox.count} />}
            </span>
          )}
        </span>
      </a>
    </li>
  );
});
