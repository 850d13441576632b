import { Menu } from "@mantine/core";
import { SmilePlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { characterOf } from "../../parts/emoji-characters.ts";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import { customEmoji, reactionTypeOf } from "../emoji/emoji.ts";
import { NO_TABLE } from "../emoji/emoji-table.ts";
import { noteUse, oftenUsed, readUses } from "../emoji/often-used.ts";
import { useEmojiTable } from "../emoji/use-emoji-table.ts";
import type { Message } from "../model/feed-state.ts";
import { toggleReaction } from "./message-actions.ts";
import classes from "./QuickReactions.module.css";

/** The number that fits next to the last button on the narrowest phone. */
const MAX_QUICK = 5;

/** The most used emoji, in a message's menu. The last button opens the picker. */
export function QuickReactions({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const attempt = useAttempt();
  const own = useChatState(customEmoji);
  const table = useEmojiTable();
  const often = table === NO_TABLE ? [] : oftenUsed(readUses(), [...own, ...table.all], MAX_QUICK);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a menu
    <div className={classes.row} role="group" aria-label={t("chat.tools.react")}>
      {often.map((emoji) => {
        const [type, name] = [reactionTypeOf(emoji), emoji.names[0] ?? ""];
        const isMine = message.reactions.some(
          ({ user_id, emoji_code, reaction_type }) =>
            user_id === chat.userId && emoji_code === emoji.code && reaction_type === type,
        );
        return (
          <Menu.Item
            key={`${type} ${emoji.code}`}
            className={classes.emoji}
            data-mine={isMine}
            aria-label={t(isMine ? "messageMenu.takeBack" : "messageMenu.reactWith", {
              name: name.replaceAll("_", " "),
            })}
            onClick={() => {
              noteUse(emoji);
              attempt(toggleReaction(chat, message, { emoji_name: name, emoji_code: emoji.code, reaction_type: type }));
            }}
          >
            {emoji.picture ? <img src={emoji.picture} alt="" width={24} height={24} /> : characterOf(emoji.code)}
          </Menu.Item>
        );
      })}
      <Menu.Item
        className={classes.more}
        aria-label={t("messageMenu.moreReactions")}
        onClick={() => page.update((before) => ({ ...before, menu: undefined, picking: message.id }))}
      >
        <SmilePlus size="1.25rem" aria-hidden="true" />
      </Menu.Item>
    </div>
  );
}
