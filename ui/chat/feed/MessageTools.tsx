import { ActionIcon, Popover } from "@mantine/core";
import { Link, Pencil, Quote, SmilePlus, Star, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/copy-text.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { addressIn } from "../use-place.ts";
import { EmojiPicker } from "./EmojiPicker.tsx";
import classes from "./MessageTools.module.css";

export interface MessageToolsProps {
  message: Message;
  isOwn: boolean;
  senderName: string;
  onReact(emoji: { name: string; code: string }): void;
  onEdit(): void;
  onDelete(): void;
  onQuote(text: string): void;
  onNotice(message: string): void;
}

/** What can be done with a message: shown on hover, by keyboard, and on a tap. */
export function MessageTools(props: MessageToolsProps) {
  const { message, isOwn, senderName, onReact, onEdit, onDelete, onQuote, onNotice } = props;
  const { t } = useTranslation();
  const { chat } = useChat();
  const [isPicking, setPicking] = useState(false);
  const isStarred = message.flags.includes("starred");
  const address = () => {
    const narrow = conversationOf(message, chat.userId);
    const hash = addressIn(chat.state.value, { page: "messages", narrow, near: message.id });
    return `${window.location.origin}/${hash}`;
  };

  const attempt = (work: Promise<unknown>) => void work.catch((error) => onNotice(errorMessage(error)));
  const quote = async () => {
    const { raw_content } = await chat.client.call("GET /messages/{message_id}", {
      message_id: message.id,
      apply_markdown: false,
    });
    const fence = "`".repeat(Math.max(3, ...[...raw_content.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    const by = `@_**${senderName}|${message.sender_id}** [${t("chat.said")}](${address()}):`;
    onQuote(`${by}\n${fence}quote\n${raw_content}\n${fence}\n`);
  };
  const star = () =>
    attempt(
      chat.client.call("POST /messages/flags", {
        messages: [message.id],
        op: isStarred ? "remove" : "add",
        flag: "starred",
      }),
    );

  return (
    <div className={classes.tools} data-open={isPicking} role="toolbar" aria-label={t("chat.tools.label")}>
      <Popover opened={isPicking} onChange={setPicking} position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Tool label={t("chat.tools.react")} onClick={() => setPicking(!isPicking)}>
            <SmilePlus size="1rem" aria-hidden="true" />
          </Tool>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown}>
          <EmojiPicker
            onPick={(emoji) => {
              setPicking(false);
              onReact(emoji);
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <Tool label={t("chat.tools.quote")} onClick={() => attempt(quote())}>
        <Quote size="1rem" aria-hidden="true" />
      </Tool>
      <Tool label={t(isStarred ? "chat.tools.unstar" : "chat.tools.star")} isPressed={isStarred} onClick={star}>
        <Star size="1rem" fill={isStarred ? "currentColor" : "none"} aria-hidden="true" />
      </Tool>
      <Tool label={t("chat.tools.copyLink")} onClick={() => attempt(copyText(address()))}>
        <Link size="1rem" aria-hidden="true" />
      </Tool>
      {isOwn && (
        <>
          <Tool label={t("chat.tools.edit")} onClick={onEdit}>
            <Pencil size="1rem" aria-hidden="true" />
          </Tool>
          <Tool label={t("chat.tools.delete")} onClick={onDelete}>
            <Trash2 size="1rem" aria-hidden="true" />
          </Tool>
        </>
      )}
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
