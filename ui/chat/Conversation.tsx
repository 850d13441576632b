import { ActionIcon } from "@mantine/core";
import { AtSign, Check, CheckCheck, MessageCircle, RotateCcw, Search, Star } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../api/store.ts";
import { errorMessage } from "../parts/error-messages.ts";
import classes from "./Conversation.module.css";
import { useChat, useChatState } from "./chat-context.ts";
import { Composer } from "./composer/Composer.tsx";
import { FeedView } from "./feed/FeedView.tsx";
import { type Narrow, narrowKey } from "./model/narrow.ts";
import { channelById, unreadCounts } from "./model/selectors.ts";
import { useNarrowTitle } from "./narrow-title.ts";
import { PageHeader } from "./PageHeader.tsx";
import { ChannelIcon } from "./sidebar/ChannelItem.tsx";
import { addressIn } from "./use-place.ts";

export interface ConversationProps {
  narrow: Narrow;
  /** The message to open at. */
  near: number | undefined;
}

const RESOLVED = "✔ ";

/** The messages of a narrow, and where one writes in it. */
export function Conversation({ narrow, near }: ConversationProps) {
  const { chat } = useChat();
  const narrowTitle = useNarrowTitle();
  const title = useChatState((state) => narrowTitle(state, narrow));
  const feed = chat.feed(narrow);
  const feedState = useStore(feed.store, (value) => value);
  const [notice, setNotice] = useState<string>();
  const insertion = useStore(chat.insertion, (text) => text);

  useEffect(() => {
    if (!feed.store.value.isLoaded || (near !== undefined && !feed.has(near))) void feed.open(near);
  }, [feed, near]);

  return (
    <div className={classes.conversation}>
      <PageHeader
        title={title}
        icon={<NarrowIcon narrow={narrow} />}
        context={<Context narrow={narrow} />}
        tools={<Tools narrow={narrow} newest={feedState.messages.at(-1)?.id} onError={setNotice} />}
      />
      {feedState.error !== undefined && !feedState.isLoaded ? (
        <p className={classes.error} role="alert">
          {errorMessage(feedState.error)}
        </p>
      ) : (
        <FeedView feed={feed} near={near} onNotice={setNotice} onQuote={(text) => chat.insertion.set(text)} />
      )}
      <div role="status" className={classes.notice}>
        {notice}
      </div>
      <Composer
        key={narrowKey(narrow)}
        narrow={narrow}
        quoted={insertion}
        onQuoted={() => chat.insertion.set(undefined)}
      />
    </div>
  );
}

function NarrowIcon({ narrow }: { narrow: Narrow }): ReactNode {
  const channel = useChatState((state) => ("channelId" in narrow ? channelById(state, narrow.channelId) : undefined));
  if (channel) return <ChannelIcon channel={channel} />;
  if (narrow.kind === "mentions") return <AtSign size="1.125rem" />;
  if (narrow.kind === "starred") return <Star size="1.125rem" />;
  if (narrow.kind === "search") return <Search size="1.125rem" />;
  return <MessageCircle size="1.125rem" />;
}

/** The channel of a topic, or what a channel is for. */
function Context({ narrow }: { narrow: Narrow }): ReactNode {
  const { chat } = useChat();
  const channel = useChatState((state) => ("channelId" in narrow ? channelById(state, narrow.channelId) : undefined));
  if (!channel) return null;
  if (narrow.kind === "channel") return channel.description || null;
  const place = { page: "messages", narrow: { kind: "channel", channelId: channel.stream_id } } as const;
  return (
    <a href={addressIn(chat.state.value, place)}>
      <bdi>{channel.name}</bdi>
    </a>
  );
}

interface ToolsProps {
  narrow: Narrow;
  newest: number | undefined;
  onError(message: string): void;
}

function Tools({ narrow, newest, onError }: ToolsProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const unread = useChatState((state) => {
    const counts = unreadCounts(state);
    if (narrow.kind === "channel") return counts.channels.get(narrow.channelId) ?? 0;
    return counts.conversations.get(narrowKey(narrow)) ?? 0;
  });

  const attempt = (work: Promise<unknown>) => void work.catch((error) => onError(errorMessage(error)));
  const markRead = () => {
    if (narrow.kind === "channel")
      attempt(chat.client.call("POST /mark_stream_as_read", { stream_id: narrow.channelId }));
    if (narrow.kind === "topic")
      attempt(chat.client.call("POST /mark_topic_as_read", { stream_id: narrow.channelId, topic_name: narrow.topic }));
  };
  const isResolved = narrow.kind === "topic" && narrow.topic.startsWith(RESOLVED);
  const resolve = async () => {
    if (narrow.kind !== "topic" || newest === undefined) return;
    const topic = isResolved ? narrow.topic.slice(RESOLVED.length) : RESOLVED + narrow.topic;
    await chat.client.call("PATCH /messages/{message_id}", {
      message_id: newest,
      topic,
      propagate_mode: "change_all",
      send_notification_to_old_thread: false,
    });
    go({ page: "messages", narrow: { ...narrow, topic } });
  };
  return (
    <>
      {unread > 0 && (narrow.kind === "channel" || narrow.kind === "topic") && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={markRead}
          aria-label={t("chat.markRead")}
          title={t("chat.markRead")}
        >
          <CheckCheck size="1.125rem" aria-hidden="true" />
        </ActionIcon>
      )}
      {narrow.kind === "topic" && narrow.topic !== "" && newest !== undefined && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => attempt(resolve())}
          aria-label={t(isResolved ? "chat.unresolve" : "chat.resolve")}
          title={t(isResolved ? "chat.unresolve" : "chat.resolve")}
        >
          {isResolved ? (
            <RotateCcw size="1.0625rem" aria-hidden="true" />
          ) : (
            <Check size="1.125rem" aria-hidden="true" />
          )}
        </ActionIcon>
      )}
    </>
  );
}
