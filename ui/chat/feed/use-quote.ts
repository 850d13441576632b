import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useChat } from "../chat-context.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { isConversation, type Narrow } from "../model/narrow.ts";
import { quotation } from "./message-actions.ts";

/** Focuses the composer, in the message's conversation if the current page is not a conversation. */
export function useReply(): (message: Message) => void {
  const { chat, place, go } = useChat();
  return useCallback(
    (message) => {
      const here: Narrow | undefined = place.page === "messages" ? place.narrow : undefined;
      if (here && isConversation(here)) document.getElementById(COMPOSER_ID)?.focus();
      else go({ page: "messages", narrow: conversationOf(message, chat.userId), near: message.id }, "composer");
    },
    [chat, place, go],
  );
}

export const COMPOSER_ID = "composer";

export const TOPIC_ID = "composer-topic";

/** Adds a quotation to the composer of the message's conversation. */
export function useQuote(): (message: Message) => Promise<void> {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const reply = useReply();
  return useCallback(
    async (message) => {
      const insertion = await quotation(chat, message, t("chat.said"));
      page.update((before) => ({ ...before, insertion }));
      reply(message);
    },
    [chat, page, reply, t],
  );
}
