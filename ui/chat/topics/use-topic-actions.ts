import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/copy-text.ts";
import { useAttempt, useChat } from "../chat-context.ts";
import { narrowKey } from "../model/narrow.ts";
import type { Policy } from "../model/topic-policies.ts";
import { useMarkRead } from "../reading/use-mark-read.ts";
import { addressIn } from "../use-place.ts";

/** A resolved topic's name begins so: docs/protocol.md#resolved-topics. */
const RESOLVED = "✔ ";

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

export interface TopicReference {
  readonly channelId: number;
  readonly topic: string;
  /** Any message of it: a topic is changed by a message. Undefined while none is known. */
  readonly messageId: number | undefined;
}

/** What the menu of a topic, its header and its keys do. */
export function useTopicActions({ channelId, topic, messageId }: TopicReference) {
  const { t } = useTranslation();
  const { chat, place, page, go } = useChat();
  const attempt = useAttempt();
  const markRead = useMarkRead();
  const narrow = { kind: "topic", channelId, topic } as const;
  const isOpen = place.page === "messages" && narrowKey(place.narrow) === narrowKey(narrow);

  const rename = async (name: string) => {
    if (messageId === undefined) return;
    await chat.client.call("PATCH /messages/{message_id}", {
      message_id: messageId,
      topic: name,
      propagate_mode: "change_all",
      send_notification_to_old_thread: false,
    });
    if (isOpen) go({ page: "messages", narrow: { ...narrow, topic: name } }, "messages");
  };
  const startMove = () => {
    if (messageId === undefined) return;
    if (!isOpen) go({ page: "messages", narrow }, "messages");
    page.update((before) => ({ ...before, move: { messageId, channelId, topic, mode: "change_all" } }));
  };
  /** Where the mark does not fit in, the way to a shorter name opens. */
  const toggleResolved = () => {
    if (isResolved(topic)) return attempt(rename(topic.slice(RESOLVED.length)));
    const room = (chat.state.value?.max_topic_length ?? Number.POSITIVE_INFINITY) - RESOLVED.length;
    if ([...topic].length <= room) return attempt(rename(RESOLVED + topic));
    startMove();
    page.update((before) => ({ ...before, notice: t("chat.noRoomForMark", { count: room }) }));
  };
  return {
    markRead: () => markRead(narrow),
    toggleResolved,
    setPolicy: (visibility_policy: Policy) =>
      attempt(chat.client.call("POST /user_topics", { stream_id: channelId, topic, visibility_policy })),
    copyLink: () =>
      attempt(copyText(`${window.location.origin}/${addressIn(chat.state.value, { page: "messages", narrow })}`)),
    /** Asks for another name or channel, above the topic's messages. */
    startMove,
    startDeletion: () => page.update((before) => ({ ...before, dialog: { kind: "deleteTopic", channelId, topic } })),
  };
}
