import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { exactTime, time } from "../../parts/format.ts";
import { useChat, useChatState } from "../chat-context.ts";
import type { Message } from "../model/feed-state.ts";
import { isMuted } from "../model/people.ts";
import { personById } from "../model/selectors.ts";
import { useOpenCard } from "../people/open-card.ts";
import { StatusEmoji } from "../people/StatusEmoji.tsx";
import { EditMessage } from "./EditMessage.tsx";
import { MessageContent } from "./MessageContent.tsx";
import { MessageTools } from "./MessageTools.tsx";
import classes from "./MessageView.module.css";
import { Reactions } from "./Reactions.tsx";
import { useUndoableDeletion } from "./use-undoable-deletion.ts";

export interface MessageViewProps {
  message: Message;
  /** Whether it stands under the name of the message above. */
  isTogether: boolean;
  /** The message that the address leads to. */
  isTarget: boolean;
  onNotice(message: string): void;
  onQuote(text: string): void;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message, isTogether, isTarget, onNotice, onQuote } = props;
  const { t } = useTranslation();
  const { chat } = useChat();
  const openCard = useOpenCard();
  const sender = useChatState((state) => personById(state, message.sender_id));
  const isHidden = useChatState((state) => isMuted(state, message.sender_id));
  const [isRevealed, setRevealed] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const attempt = (work: Promise<unknown>) => void work.catch((error) => onNotice(errorMessage(error)));
  const deletion = useUndoableDeletion(() =>
    attempt(chat.client.call("DELETE /messages/{message_id}", { message_id: message.id })),
  );
  const name = sender?.full_name ?? message.sender_full_name;
  const sentAt = message.timestamp * 1000;
  const isOwn = message.sender_id === chat.userId;
  const openSender = () => openCard({ kind: "person", userId: message.sender_id });

  const react = (emoji: Omit<Message["reactions"][number], "user_id">, takesBack: boolean) => {
    const { emoji_name, emoji_code, reaction_type } = emoji;
    const input = { message_id: message.id, emoji_name, emoji_code, reaction_type };
    if (takesBack) attempt(chat.client.call("DELETE /messages/{message_id}/reactions", input));
    else attempt(chat.client.call("POST /messages/{message_id}/reactions", input));
  };

  if (deletion.isPending)
    return (
      <div className={classes.deleted} data-message-id={message.id}>
        {t("chat.deleted")}
        <button type="button" onClick={deletion.undo}>
          {t("chat.undo")}
        </button>
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
      data-together={isTogether}
      data-target={isTarget}
      data-action={message.is_me_message}
      data-mentions={message.flags.includes("mentioned")}
      aria-label={t("chat.messageBy", { name, time: time(sentAt) })}
    >
      {isTogether ? (
        <time className={classes.lateTime} dateTime={new Date(sentAt).toISOString()} title={exactTime(sentAt)}>
          {time(sentAt)}
        </time>
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the name beside it is a button that does the same
        // biome-ignore lint/a11y/noStaticElementInteractions: the same
        <img
          className={classes.avatar}
          src={sender?.avatar_url ?? message.avatar_url}
          alt=""
          width={36}
          height={36}
          loading="lazy"
          onClick={openSender}
        />
      )}
      <div className={classes.body}>
        {!isTogether && (
          <p className={classes.head}>
            <button type="button" className={classes.name} onClick={openSender}>
              <bdi>{name}</bdi>
            </button>
            <StatusEmoji userId={message.sender_id} />
            {sender?.is_bot && <span className={classes.tag}>{t("chat.bot")}</span>}
            {sender?.is_guest && <span className={classes.tag}>{t("chat.guest")}</span>}
            <time dateTime={new Date(sentAt).toISOString()} title={exactTime(sentAt)}>
              {time(sentAt)}
            </time>
          </p>
        )}
        {isEditing ? (
          <EditMessage message={message} onClose={() => setEditing(false)} />
        ) : (
          <MessageContent html={shownHtml(message)} />
        )}
        {message.last_edit_timestamp !== undefined && !isEditing && (
          <span className={classes.edited} title={exactTime(message.last_edit_timestamp * 1000)}>
            {t("chat.edited")}
          </span>
        )}
        {message.reactions.length > 0 && <Reactions reactions={message.reactions} onToggle={react} />}
      </div>
      {!isEditing && (
        <MessageTools
          message={message}
          isOwn={isOwn}
          senderName={name}
          onReact={({ name: emoji_name, code }) =>
            react({ emoji_name, emoji_code: code, reaction_type: "unicode_emoji" }, false)
          }
          onEdit={() => setEditing(true)}
          onDelete={deletion.start}
          onQuote={onQuote}
          onNotice={onNotice}
        />
      )}
    </article>
  );
});

/** Of `/me waves` the rest: the sender's name stands before it. */
function shownHtml({ is_me_message, match_content, content }: Message): string {
  const html = match_content ?? content;
  return is_me_message ? html.replace(/^<p>\/me\s+/, "<p>") : html;
}
