import { Menu } from "@mantine/core";
import {
  AlarmClock,
  ArrowRightLeft,
  ClipboardCopy,
  Eye,
  Flag,
  FoldVertical,
  Forward,
  History,
  LocateFixed,
  MailOpen,
  Pencil,
  Reply,
  SmilePlus,
  Trash2,
  UnfoldVertical,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/copy-text.ts";
import { IS_TOUCHED } from "../../parts/touch.ts";
import { ActionsMenu } from "../ActionsMenu.tsx";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { isConversation } from "../model/narrow.ts";
import { mayMove } from "../model/permissions.ts";
import type { OpenDialog } from "../page-state.ts";
import { isCollapsed, markUnreadFrom, quotation, sourceOf, toggleCollapsed } from "./message-actions.ts";
import { QuickReactions } from "./QuickReactions.tsx";
import { useReply } from "./use-quote.ts";

const ICON = { size: "1rem", "aria-hidden": true } as const;

export interface MessageMenuProps {
  message: Message;
  /** Where one may. */
  onEdit?(): void;
  onDelete?(): void;
}

/** What is done with a message: for a finger all of it; a mouse finds what is done often beside it (MessageTools). */
export function MessageMenu(props: MessageMenuProps) {
  const { message } = props;
  const { t } = useTranslation();
  const { page } = useChat();
  const isOpen = usePageState(({ menu }) => menu === message.id);
  const setOpen = (opens: boolean) => page.update((before) => ({ ...before, menu: opens ? message.id : undefined }));
  return (
    <ActionsMenu label={t("messageMenu.more")} size="md" opened={isOpen} onChange={setOpen}>
      {isOpen && <Items {...props} />}
    </ActionsMenu>
  );
}

function Items({ message, onEdit, onDelete }: MessageMenuProps) {
  const { t } = useTranslation();
  const { chat, place, page, go } = useChat();
  const attempt = useAttempt();
  const reply = useReply();
  const showsReceipts = useChatState((state) => state.realm_enable_read_receipts ?? false);
  const conversation = conversationOf(message, chat.userId);
  const isMovable = useChatState((state) => conversation.kind === "topic" && mayMove(state, conversation.channelId));
  const here = place.page === "messages" ? place.narrow : undefined;
  const wasChanged = message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined;
  const open = (dialog: OpenDialog) => page.update((before) => ({ ...before, dialog }));
  const say = (notice: string) => page.update((before) => ({ ...before, notice }));

  const markUnread = () => {
    if (!here) return;
    page.update((before) => ({ ...before, keepsUnread: true }));
    attempt(markUnreadFrom(chat, here, message));
  };
  const startMove = () => {
    if (conversation.kind !== "topic") return;
    const { channelId, topic } = conversation;
    if (!here || !("channelId" in here)) go({ page: "messages", narrow: conversation, near: message.id }, "messages");
    page.update((before) => ({
      ...before,
      move: { messageId: message.id, channelId, topic, mode: "change_later" },
    }));
  };
  const forward = async () => {
    const forwarding = await quotation(chat, message, t("chat.said"));
    page.update((before) => ({ ...before, forwarding, dialog: { kind: "palette", mode: "go" } }));
  };
  const copySource = async () => {
    await copyText(await sourceOf(chat, message));
    say(t("messageMenu.copied"));
  };
  return (
    <>
      {IS_TOUCHED && <QuickReactions message={message} />}
      <Menu.Item leftSection={<Reply {...ICON} />} onClick={() => reply(message)}>
        {t("messageMenu.reply")}
      </Menu.Item>
      {onEdit && (
        <Menu.Item leftSection={<Pencil {...ICON} />} onClick={onEdit}>
          {t("chat.tools.edit")}
        </Menu.Item>
      )}
      {here && !isConversation(here) && (
        <Menu.Item
          leftSection={<LocateFixed {...ICON} />}
          onClick={() => go({ page: "messages", narrow: conversation, near: message.id }, "messages")}
        >
          {t("messageMenu.show")}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<MailOpen {...ICON} />} onClick={markUnread}>
        {t("messageMenu.markUnread")}
      </Menu.Item>
      {isMovable && (
        <Menu.Item leftSection={<ArrowRightLeft {...ICON} />} onClick={startMove}>
          {t("messageMenu.move")}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={isCollapsed(message) ? <UnfoldVertical {...ICON} /> : <FoldVertical {...ICON} />}
        onClick={() => attempt(toggleCollapsed(chat, message))}
      >
        {t(isCollapsed(message) ? "chat.expand" : "messageMenu.collapse")}
      </Menu.Item>
      <Menu.Item leftSection={<AlarmClock {...ICON} />} onClick={() => open({ kind: "remind", messageId: message.id })}>
        {t("messageMenu.remind")}
      </Menu.Item>
      <Menu.Item leftSection={<Forward {...ICON} />} onClick={() => attempt(forward())}>
        {t("messageMenu.forward")}
      </Menu.Item>
      <Menu.Item leftSection={<ClipboardCopy {...ICON} />} onClick={() => attempt(copySource())}>
        {t("messageMenu.copySource")}
      </Menu.Item>
      {wasChanged && (
        <Menu.Item leftSection={<History {...ICON} />} onClick={() => open({ kind: "history", messageId: message.id })}>
          {t("messageMenu.history")}
        </Menu.Item>
      )}
      {message.reactions.length > 0 && (
        <Menu.Item
          leftSection={<SmilePlus {...ICON} />}
          onClick={() => open({ kind: "reactors", messageId: message.id })}
        >
          {t("messageMenu.reactors")}
        </Menu.Item>
      )}
      {showsReceipts && (
        <Menu.Item leftSection={<Eye {...ICON} />} onClick={() => open({ kind: "receipts", messageId: message.id })}>
          {t("messageMenu.receipts")}
        </Menu.Item>
      )}
      {message.sender_id !== chat.userId && (
        <Menu.Item leftSection={<Flag {...ICON} />} onClick={() => open({ kind: "report", messageId: message.id })}>
          {t("messageMenu.report")}
        </Menu.Item>
      )}
      {onDelete && (
        <Menu.Item color="red" leftSection={<Trash2 {...ICON} />} onClick={onDelete}>
          {t("chat.tools.delete")}
        </Menu.Item>
      )}
    </>
  );
}
