import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { channelById } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { TopicMenu } from "../topics/TopicMenu.tsx";
import { addressIn } from "../use-place.ts";
import classes from "./RecipientBar.module.css";
import { messageIdBelow } from "./selection.ts";

/** Where the messages below were sent, as a link; in the feed of a channel, only their topic. */
export function RecipientBar({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  const narrowTitle = useNarrowTitle();
  const narrow = conversationOf(message, chat.userId);
  const showsChannel = place.page !== "messages" || place.narrow.kind !== "channel";
  const channelName = useChatState((state) =>
    narrow.kind === "topic" && showsChannel ? channelById(state, narrow.channelId)?.name : undefined,
  );
  const title = useChatState((state) => narrowTitle(state, narrow));
  const addressNear = (near: number) => addressIn(chat.state.value, { page: "messages", narrow, near });
  return (
    <p className={classes.bar}>
      <a
        href={addressNear(message.id)}
        onClick={({ currentTarget }) => {
          // One goes on where one reads, which may be far below the first of the messages.
          currentTarget.href = addressNear(messageIdBelow(currentTarget) ?? message.id);
        }}
      >
        {narrow.kind === "direct" && <span className={classes.kind}>{t("chat.with")}</span>}
        {channelName !== undefined && (
          <span className={classes.kind}>
            <bdi>{channelName}</bdi> ›
          </span>
        )}
        <bdi>{title}</bdi>
      </a>
      {narrow.kind === "topic" && !chat.isSpectator && (
        <TopicMenu
          channelId={narrow.channelId}
          topic={narrow.topic}
          messageId={message.id}
          size="sm"
          className={classes.menu}
        />
      )}
    </p>
  );
}
