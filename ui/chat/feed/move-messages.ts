import i18next from "i18next";
import { noticeDone } from "../../parts/settings/notices.tsx";
import type { ChatContext } from "../chat-context.ts";
import { sameTopic } from "../model/feed-state.ts";
import { type Narrow, termsOf } from "../model/narrow.ts";
import type { Move } from "../page-state.ts";

type Topic = Extract<Narrow, { readonly kind: "topic" }>;

export interface Movement {
  /** Any message of the topic, or the first one that moves. */
  readonly messageId: number;
  readonly mode: Move["mode"];
  readonly from: Topic;
  readonly to: Topic;
}

/** Moves messages. Offers Undo unless they joined a topic, because one request cannot separate them again. */
export async function moveMessages(
  { chat }: Pick<ChatContext, "chat">,
  { messageId, mode, from, to }: Movement,
  done: "resolved" | "unresolved" | "moved",
): Promise<void> {
  const move = (from: Topic, to: Topic, propagate_mode: Move["mode"], isUndo = false) =>
    chat.client.call("PATCH /messages/{message_id}", {
      message_id: messageId,
      propagate_mode,
      send_notification_to_old_thread: false,
      ...(isUndo && { send_notification_to_new_thread: false }),
      ...(to.topic !== from.topic && { topic: to.topic }),
      ...(to.channelId !== from.channelId && { stream_id: to.channelId }),
    });
  const isRename = to.channelId === from.channelId && sameTopic(to.topic, from.topic);
  const isSeparable = mode === "change_one" || isRename || (await isUnused(chat, to));
  await move(from, to, mode);
  const back = mode === "change_one" ? mode : "change_all";
  noticeDone(i18next.t(`marking.${done}`), isSeparable ? () => move(to, from, back, true) : undefined);
}

async function isUnused(chat: ChatContext["chat"], topic: Topic): Promise<boolean> {
  const { messages } = await chat.client.call("GET /messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    narrow: termsOf(topic, chat.userId),
    allow_empty_topic_name: true,
  });
  return messages.length === 0;
}
