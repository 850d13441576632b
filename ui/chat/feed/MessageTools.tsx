import { Popover } from "@mantine/core";
import { SmilePlus } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { setPage } from "../actions/action.ts";
import { MESSAGE_ACTIONS, type MessageThing } from "../actions/message.ts";
import { useActions } from "../actions/use-actions.ts";
import { useAttempt, useChat, usePageState } from "../chat-context.ts";
import { EmojiPicker } from "../emoji/EmojiPicker.tsx";
import type { Message } from "../model/feed-state.ts";
import { FocusPopover } from "../parts/FocusPopover.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { MessageMenu } from "./MessageMenu.tsx";
import classes from "./MessageTools.module.css";
import { toggleReaction } from "./message-actions.ts";

export interface MessageToolsProps {
  message: Message;
  isOwn: boolean;
  onDelete(): void;
}

/** The toolbar of a message: visible on hover, with the focus inside, and on a tap. */
export function MessageTools({ message, isOwn, onDelete }: MessageToolsProps) {
  const { t } = useTranslation();
  const context = useChat();
  const { chat, place } = context;
  const attempt = useAttempt();
  const isOpen = usePageState(({ picking, menu }) => picking === message.id || menu === message.id);
  const isPicking = usePageState(({ picking }) => picking === message.id);
  const setPicking = (opens: boolean) => setPage(context, { picking: opens ? message.id : undefined });
  const here = place.page === "messages" ? place.narrow : undefined;
  const thing: MessageThing = { message, here, startDeletion: onDelete };
  // Deleting other people's messages is rare, so it is only in the menu.
  const tools = useActions(MESSAGE_ACTIONS, "toolbar", thing).filter(({ id }) => isOwn || id !== "delete");

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
      {tools.map(({ id, text, Icon, isOn, run }) => (
        <Tool key={id} label={text} isPressed={isOn} onClick={run}>
          {Icon && <Icon size="1rem" fill={isOn ? "currentColor" : "none"} aria-hidden="true" />}
        </Tool>
      ))}
      <MessageMenu thing={thing} />
    </div>
  );
}

interface ToolProps {
  label: string;
  isPressed?: boolean | undefined;
  onClick(): void;
  children: ReactNode;
  ref?: React.Ref<HTMLButtonElement>;
}

function Tool({ label, isPressed, onClick, children, ref }: ToolProps) {
  return (
    <IconButton ref={ref} size="md" label={label} aria-pressed={isPressed} onClick={onClick}>
      {children}
    </IconButton>
  );
}
