import { Globe, Hash, Lock } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { useStore } from "../../api/store.ts";
import { ChannelMenu } from "../channels/ChannelMenu.tsx";
import { TopicMenu } from "../channels/TopicMenu.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { addressOf, narrowKey, type Place } from "../model/narrow.ts";
import type { Subscription } from "../model/selectors.ts";
import { isTopicMuted } from "../model/topic-policies.ts";
import type { Topic } from "../model/topics.ts";
import { unreadCounts } from "../model/unread.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import classes from "./ChannelItem.module.css";
import { Line, PlaceLink } from "./PlaceLink.tsx";

export interface ChannelItemProps {
  channel: Subscription;
  count: number;
  isMuted: boolean;
  isMentioned: boolean;
  isHere: boolean;
  isOpen: boolean;
  isPhone: boolean;
  hasMenu: boolean;
}

const FEW_TOPICS = 8;

/** A channel; while it is open, with its topics. There may be thousands, so it is drawn only when its props change. */
export const ChannelItem = memo(function ChannelItem({
  channel,
  isOpen,
  isPhone,
  hasMenu,
  ...shown
}: ChannelItemProps) {
  const channelId = channel.stream_id;
  const place: Place = isPhone
    ? { page: "topics", channelId }
    : { page: "messages", narrow: { kind: "channel", channelId } };
  return (
    <>
      <Line
        href={addressOf(place, channel.name)}
        icon={<ChannelIcon channel={channel} />}
        menu={hasMenu && <ChannelMenu channelId={channelId} size="sm" />}
        {...shown}
      >
        {channel.name}
      </Line>
      {isOpen && <TopicList channelId={channelId} />}
    </>
  );
});

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

function TopicList({ channelId }: { channelId: number }) {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  const [showsAll, setShowsAll] = useState(false);
  const counts = useChatState(unreadCounts);
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
        {shown.map((topic) => (
          <TopicLine key={topic.name} channelId={channelId} topic={topic} count={countOf(topic)} />
        ))}
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

function TopicLine({ channelId, topic: { name, max_id }, count }: { channelId: number; topic: Topic; count: number }) {
  const { chat } = useChat();
  const narrow = { kind: "topic" as const, channelId, topic: name };
  const isMuted = useChatState((state) => isTopicMuted(state, channelId, name));
  const isMentioned = useChatState((state) => unreadCounts(state).mentioned.has(narrowKey(narrow)));
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  return (
    <PlaceLink
      place={{ page: "messages", narrow }}
      count={count}
      isMuted={isMuted}
      isMentioned={isMentioned}
      menu={!chat.isSpectator && <TopicMenu channelId={channelId} topic={name} messageId={max_id} size="sm" />}
      isNested
    >
      {title}
    </PlaceLink>
  );
}
