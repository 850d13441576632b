import { useTranslation } from "react-i18next";
import { day } from "../../parts/format.ts";
import { TopicMenu } from "../channels/TopicMenu.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import type { Narrow } from "../model/narrow.ts";
import { channelById } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { addressIn } from "../use-place.ts";
import classes from "./FeedView.module.css";
import { messageIdBelow } from "./selection.ts";

export interface RecipientBarProps {
  narrow: Narrow;
  /** The first message below; undefined if all are unsent. */
  messageId: number | undefined;
}

/** A link to the conversation of the messages below. In the feed of a channel, it shows only the topic. */
export function RecipientBar({ narrow, messageId }: RecipientBarProps) {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  const narrowTitle = useNarrowTitle();
  const showsChannel = place.page !== "messages" || place.narrow.kind !== "channel";
  const channelName = useChatState((state) =>
    narrow.kind === "topic" && showsChannel ? channelById(state, narrow.channelId)?.name : undefined,
  );
  const title = useChatState((state) => narrowTitle(state, narrow));
  const addressNear = (near: number | undefined) => addressIn(chat.state.value, { page: "messages", narrow, near });
  return (
    <p className={classes.bar}>
      <a
        href={addressNear(messageId)}
        onClick={({ currentTarget }) => {
          // Links to the message at the top of the screen, which may be far below the first one.
          currentTarget.href = addressNear(messageIdBelow(currentTarget) ?? messageId);
        }}
      >
        {narrow.kind === "direct" && <span className={classes.barKind}>{t("chat.with")}</span>}
        {channelName !== undefined && (
          <span className={classes.barKind}>
            <bdi>{channelName}</bdi> ›
          </span>
        )}
        <bdi>{title}</bdi>
      </a>
      {narrow.kind === "topic" && messageId !== undefined && !chat.isSpectator && (
        <TopicMenu
          channelId={narrow.channelId}
          topic={narrow.topic}
          messageId={messageId}
          size="sm"
          className={classes.barMenu}
        />
      )}
    </p>
  );
}

export const DayLine = ({ at }: { at: number }) => (
  <p className={classes.day}>
    <span>{day(at, Date.now())}</span>
  </p>
);

export function UnreadLine() {
  const { t } = useTranslation();
  return (
    <p className={classes.unread}>
      <span>{t("chat.unreadLine")}</span>
    </p>
  );
}
