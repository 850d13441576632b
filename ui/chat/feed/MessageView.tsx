import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { exactTime, time } from "../../parts/format.ts";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { isMuted } from "../model/people.ts";
import { personById } from "../model/selectors.ts";
import { widgetOf } from "../model/widgets.ts";
import { useActive } from "../parts/use-active.ts";
import { useOpenCard } from "../people/open-card.ts";
import { StatusEmoji } from "../people/StatusEmoji.tsx";
import { addressIn } from "../use-place.ts";
import { EditMessage } from "./EditMessage.tsx";
import { MessageContent } from "./MessageContent.tsx";
import { MessageTools } from "./MessageTools.tsx";
import classes from "./MessageView.module.css";
import { isCollapsed, startEditing, toggleCollapsed, toggleReaction } from "./message-actions.ts";
import { Reactions } from "./Reactions.tsx";
import { useLongPress } from "./use-long-press.ts";
import { useUndoableDeletion } from "./use-undoable-deletion.ts";
import { WidgetView } from "./WidgetView.tsx";

export interface MessageViewProps {
  message: Message;
  /** Whether the message above has the same sender and shows the name. */
  isTogether: boolean;
  /** Whether the URL links to this message. */
  isTarget: boolean;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { isTogether, isTarget } = props;
  const { t } = useTranslation();
  const { chat, page } = useChat();
  useStore(chat.pending.store, (all) => all.get(props.message.id));
  const message = chat.pending.shown(props.message);
  const openCard = useOpenCard();
  const sender = useChatState((state) => personById(state, message.sender_id));
  const isHidden = useChatState((state) => isMuted(state, message.sender_id));
  const [isRevealed, setRevealed] = useState(false);
  const isEditing = usePageState(({ editing }) => editing?.id === message.id);
  const hasUnsaved = useStore(chat.edits.store, (all) => all.has(message.id));
  const isUsed = usePageState(({ picking, menu }) => picking === message.id || menu === message.id);
  const { isActive, handlers } = useActive();
  const longPress = useLongPress((element) => {
    element.focus({ preventScroll: true }); // keeps its tools visible when the menu closes
    page.update((before) => ({ ...before, menu: message.id }));
  });
  const attempt = useAttempt();
  const deletion = useUndoableDeletion(() => {
    const deleted = chat.client.call("DELETE /messages/{message_id}", { message_id: message.id });
    attempt(deleted);
    return deleted;
  });
  const name = sender?.full_name ?? message.sender_full_name;
  const sentAt = message.timestamp * 1000;
  const editedAt = message.last_edit_timestamp;
  const isOwn = message.sender_id === chat.userId;
  const openSender = () => openCard({ kind: "person", userId: message.sender_id });
  const address = addressIn(chat.state.value, {
    page: "messages",
    narrow: conversationOf(message, chat.userId),
    near: message.id,
  });

  if (deletion.isPending)
    return (
      <div className={classes.deleted} data-message-id={message.id}>
        {t("chat.deleted")}
        {deletion.canUndo && (
          <button type="button" onClick={deletion.undo}>
            {t("chat.undo")}
          </button>
        )}
      </div>
    );
  if (isHidden && !isRevealed)
    return (
      <div className={classes.deleted} data-message-id={message.id}>
        {t("chatPeople.mutedMessage")}
        <button type="button" onClick={() => setRevealed(true)}>
          {t("chatPeople.showMuted")}
        </button>
      </div>
    );
  return (
    <article
      className={classes.message}
      data-message-id={message.id}
      tabIndex={-1}
      {...handlers}
      {...(!chat.isSpectator && longPress)}
      data-together={isTogether}
      data-target={isTarget}
      data-action={message.is_me_message}
      data-mentions={message.flags.includes("mentioned")}
      aria-label={t("chat.messageBy", { name, time: time(sentAt) })}
    >
      {isTogether ? (
        <a className={classes.lateTime} href={address} tabIndex={-1} title={isActive ? exactTime(sentAt) : undefined}>
          <time dateTime={new Date(sentAt).toISOString()}>{time(sentAt)}</time>
        </a>
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the name next to it is a button with the same action
        // biome-ignore lint/a11y/noStaticElementInteractions: the same
        <img
          className={classes.avatar}
          src={sender?.avatar_url ?? message.avatar_url}
          alt=""
          width={36}
          height={36}
          loading="lazy"
          onClick={openSender}
          onError={({ currentTarget }) => currentTarget.toggleAttribute("data-missing", true)}
        />
      )}
      <div className={classes.body}>
        {!isTogether && (
          <p className={classes.head}>
            {chat.isSpectator ? (
              <bdi className={classes.name}>{name}</bdi>
            ) : (
              <button type="button" className={classes.name} onClick={openSender}>
                <bdi>{name}</bdi>
              </button>
            )}
            <StatusEmoji userId={message.sender_id} />
            {sender?.is_bot && <span className={classes.tag}>{t("chat.bot")}</span>}
            {sender?.is_guest && <span className={classes.tag}>{t("chat.guest")}</span>}
            <a className={classes.time} href={address} title={isActive ? exactTime(sentAt) : undefined}>
              <time dateTime={new Date(sentAt).toISOString()}>{time(sentAt)}</time>
            </a>
            {editedAt !== undefined && (
              <span className={classes.edited} title={exactTime(editedAt * 1000)}>
                {t("chat.edited")}
              </span>
            )}
          </p>
        )}
        {isEditing ? (
          <EditMessage message={message} />
        ) : isCollapsed(message) && !chat.isSpectator ? (
          <button type="button" className={classes.expand} onClick={() => attempt(toggleCollapsed(chat, message))}>
            {t("chat.expand")}
          </button>
        ) : (
          <Body message={message} editedAt={isTogether ? editedAt : undefined} />
        )}
        {hasUnsaved && !isEditing && (
          <p className={classes.unsaved}>
            {t("chat.unsavedEdit")}
            <button
              type="button"
              onClick={() => startEditing({ chat, page }, message, "messages", t("chat.editTooLate"))}
            >
              {t("chat.editOn")}
            </button>
            <button type="button" onClick={() => chat.edits.remove(message.id)}>
              {t("chat.outgoing.discard")}
            </button>
          </p>
        )}
        {message.reactions.length > 0 && (
          <Reactions
            reactions={message.reactions}
            onToggle={chat.isSpectator ? undefined : (reaction) => attempt(toggleReaction(chat, message, reaction))}
          />
        )}
      </div>
      {!isEditing && (isActive || isUsed) && !chat.isSpectator && (
        <MessageTools message={message} isOwn={isOwn} onDelete={deletion.start} />
      )}
    </article>
  );
});

function Body({ message, editedAt }: { message: Message; editedAt: number | undefined }) {
  const widget = message.submessages.length > 0 ? widgetOf(message) : undefined;
  if (widget) return <WidgetView message={message} widget={widget} />;
  return <MessageContent html={shownHtml(message)} editedAt={editedAt} />;
}

/** Without `/me`, because the sender's name precedes the text. */
function shownHtml({ is_me_message, match_content, content }: Message): string {
  const html = match_content ?? content;
  return is_me_message ? html.replace(/^<p>\/me\s+/, "<p>") : html;
}
