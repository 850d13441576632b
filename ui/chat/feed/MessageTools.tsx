import { ActionIcon, Popover } from "@mantine/core";
import { Link, Pencil, Quote, SmilePlus, Star, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/copy-text.ts";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { EmojiPicker } from "../emoji/EmojiPicker.tsx";
import { FocusPopover } from "../FocusPopover.tsx";
import type { Message } from "../model/feed-state.ts";
import { mayDelete, mayEdit } from "../model/permissions.ts";
import { MessageMenu } from "./MessageMenu.tsx";
import classes from "./MessageTools.module.css";
import { isStarred, messageAddress, toggleReaction, toggleStar } from "./message-actions.ts";
import { useQuote } from "./use-quote.ts";

export interface MessageToolsProps {
  message: Message;
  isOwn: boolean;
  onDelete(): void;
}

/** What can be done with a message: shown on hover, by keyboard, and on a tap. */
export function MessageTools({ message, isOwn, onDelete }: MessageToolsProps) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const attempt = useAttempt();
  const quote = useQuote();
  const isOpen = usePageState(({ picking, menu }) => picking === message.id || menu === message.id);
  const isPicking = usePageState(({ picking }) => picking === message.id);
  const setPicking = (opens: boolean) =>
    page.update((before) => ({ ...before, picking: opens ? message.id : undefined }));
  const starred = isStarred(message);
  const isEditable = useChatState((state) => mayEdit(state, message, Date.now()));
  const isDeletable = useChatState((state) => mayDelete(state, message, Date.now()));
  const edit = () => page.update((before) => ({ ...before, editing: { id: message.id, from: "messages" } }));

  return (
    <div className={classes.tools} data-open={isOpen} role="toolbar" aria-label={t("chat.tools.label")}>
      <FocusPopover opened={isPicking} onChange={setPicking} position="bottom-end">
        <Popover.Target>
          <Tool label={t("chat.tools.react")} onClick={() => setPicking(!isPicking)}>
            <SmilePlus size="1rem" aria-hidden="true" />
          </Tool>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown}>
          <EmojiPicker
            onPick={({ name, code, type }) => {
              setPicking(false);
              attempt(toggleReaction(chat, message, { emoji_name: name, emoji_code: code, reaction_type: type }));
            }}
          />
        </Popover.Dropdown>
      </FocusPopover>
      <Tool label={t("chat.tools.quote")} onClick={() => attempt(quote(message))}>
        <Quote size="1rem" aria-hidden="true" />
      </Tool>
      <Tool
        label={t(starred ? "chat.tools.unstar" : "chat.tools.star")}
        isPressed={starred}
        onClick={() => attempt(toggleStar(chat, message))}
      >
        <Star size="1rem" fill={starred ? "currentColor" : "none"} aria-hidden="true" />
      </Tool>
      <Tool label={t("chat.tools.copyLink")} onClick={() => attempt(copyText(messageAddress(chat, message)))}>
        <Link size="1rem" aria-hidden="true" />
      </Tool>
      {isEditable && (
        <Tool label={t("chat.tools.edit")} onClick={edit}>
          <Pencil size="1rem" aria-hidden="true" />
        </Tool>
      )}
      {isOwn && isDeletable && (
        <Tool label={t("chat.tools.delete")} onClick={onDelete}>
          <Trash2 size="1rem" aria-hidden="true" />
        </Tool>
      )}
      <MessageMenu message={message} {...(isEditable && { onEdit: edit })} {...(isDeletable && { onDelete })} />
    </div>
  );
}

interface ToolProps {
  label: string;
  isPressed?: boolean;
  onClick(): void;
  children: ReactNode;
  ref?: React.Ref<HTMLButtonElement>;
}

function Tool({ label, isPressed, onClick, children, ref }: ToolProps) {
  return (
    <ActionIcon
      ref={ref}
      variant="subtle"
      color="gray"
      size="md"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}
