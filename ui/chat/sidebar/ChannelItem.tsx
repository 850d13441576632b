import { useMediaQuery } from "@mantine/hooks";
import { Globe, Hash, Lock } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { useStore } from "../../api/store.ts";
import { useChat } from "../chat-context.ts";
import { narrowKey } from "../model/narrow.ts";
import type { Subscription, unreadCounts } from "../model/selectors.ts";
import { isTopicMuted } from "../model/topic-policies.ts";
import type { Topic } from "../model/topics.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { ChannelMenu } from "../topics/ChannelMenu.tsx";
import { TopicMenu } from "../topics/TopicMenu.tsx";
import classes from "./ChannelItem.module.css";
import { PlaceLink } from "./PlaceLink.tsx";

export interface ChannelItemProps {
  channel: Subscription;
  counts: ReturnType<typeof unreadCounts>;
}

const FEW_TOPICS = 8;
/** As in ChatPage.module.css: where one column is shown at a time, a channel's topics are a column. */
const PHONE = "(max-width: 47.99em)";

/** A channel; while it is open, with its topics below. */
export function ChannelItem({ channel, counts }: ChannelItemProps) {
  const { chat, place } = useChat();
  const channelId = channel.stream_id;
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const openId = place.page === "messages" && "channelId" in place.narrow ? place.narrow.channelId : undefined;
  const isOpen = openId === channelId || (place.page === "topics" && place.channelId === channelId);
  return (
    <>
      <PlaceLink
        place={isPhone ? { page: "topics", channelId } : { page: "messages", narrow: { kind: "channel", channelId } }}
        icon={<ChannelIcon channel={channel} />}
        count={counts.channels.get(channelId) ?? 0}
        isMuted={channel.is_muted}
        menu={!chat.isSpectator && <ChannelMenu channelId={channelId} size="sm" />}
      >
        {channel.name}
      </PlaceLink>
      {isOpen && <TopicList channelId={channelId} counts={counts} />}
    </>
  );
}

/** What kind of channel it is, in the colour that the reader gave it. */
export function ChannelIcon({
  channel,
}: {
  channel: Pick<Channel, "invite_only" | "is_web_public"> & { color?: string };
}) {
  const Icon = channel.invite_only ? Lock : channel.is_web_public ? Globe : Hash;
  return (
    <Icon size={Icon === Hash ? "1rem" : "0.9375rem"} color={channel.color ?? "currentColor"} aria-hidden="true" />
  );
}

function TopicList({ channelId, counts }: { channelId: number; counts: ChannelItemProps["counts"] }) {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  const [showsAll, setShowsAll] = useState(false);
  const narrowTitle = useNarrowTitle();
  const topics = useStore(chat.topics.store, (all) => all[channelId]);
  useEffect(() => void chat.topics.load(channelId), [chat, channelId]);
  if (!topics) return null;
  const countOf = ({ name }: Topic) =>
    counts.conversations.get(narrowKey({ kind: "topic", channelId, topic: name })) ?? 0;
  const hereKey = place.page === "messages" ? narrowKey(place.narrow) : "";
  const isShown = (topic: Topic, at: number) =>
    showsAll ||
    at < FEW_TOPICS ||
    countOf(topic) > 0 ||
    narrowKey({ kind: "topic", channelId, topic: topic.name }) === hereKey;
  const shown = topics.filter(isShown);
  return (
    <li>
      <ul className={classes.topics} aria-label={t("chat.topics")}>
        {shown.map((topic) => {
          const narrow = { kind: "topic" as const, channelId, topic: topic.name };
          return (
            <PlaceLink
              key={topic.name}
              place={{ page: "messages", narrow }}
              count={countOf(topic)}
              isMuted={isTopicMuted(chat.state.value ?? {}, channelId, topic.name)}
              menu={
                !chat.isSpectator && (
                  <TopicMenu channelId={channelId} topic={topic.name} messageId={topic.max_id} size="sm" />
                )
              }
              isNested
            >
              {narrowTitle(chat.state.value ?? {}, narrow)}
            </PlaceLink>
          );
        })}
        {shown.length < topics.length && (
          <li>
            <button type="button" className={classes.more} onClick={() => setShowsAll(true)}>
              {t("chat.moreTopics", { count: topics.length - shown.length })}
            </button>
          </li>
        )}
      </ul>
    </li>
  );
}
