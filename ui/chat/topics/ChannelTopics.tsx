import { Button } from "@mantine/core";
import { MessagesSquare, SquarePen } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { useChat, useChatState } from "../chat-context.ts";
import inbox from "../Inbox.module.css";
import { narrowKey } from "../model/narrow.ts";
import { channelById } from "../model/selectors.ts";
import { isTopicMuted } from "../model/topic-policies.ts";
import { unreadCounts } from "../model/unread.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { PageHeader } from "../PageHeader.tsx";
import { ChannelIcon } from "../sidebar/ChannelItem.tsx";
import { MentionMark, UnreadCount } from "../UnreadCount.tsx";
import { addressIn } from "../use-place.ts";
import { ChannelMenu } from "./ChannelMenu.tsx";
import classes from "./ChannelTopics.module.css";

/** All topics of a channel, those written in last first. On a phone, this stands between the channels and a topic. */
export function ChannelTopics({ channelId }: { channelId: number }) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const state = useChatState((value) => value);
  const narrowTitle = useNarrowTitle();
  const channel = channelById(state, channelId);
  const topics = useStore(chat.topics.store, (all) => all[channelId]);
  useEffect(() => void chat.topics.load(channelId), [chat, channelId]);
  const counts = unreadCounts(state);
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
            href={addressIn(state, all)}
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
          {topics?.map(({ name }) => {
            const narrow = { kind: "topic", channelId, topic: name } as const;
            const count = counts.conversations.get(narrowKey(narrow)) ?? 0;
            const isMuted = isTopicMuted(state, channelId, name);
            return (
              <li key={name}>
                <a
                  className={inbox.line}
                  href={addressIn(state, { page: "messages", narrow })}
                  data-unread={count > 0 && !isMuted}
                  data-muted={isMuted}
                >
                  <span className={inbox.name}>
                    <bdi>{narrowTitle(state, narrow)}</bdi>
                  </span>
                  {counts.mentioned.has(narrowKey(narrow)) && <MentionMark />}
                  {count > 0 && !isMuted && <UnreadCount count={count} className={inbox.count} />}
                </a>
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
