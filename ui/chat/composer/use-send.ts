import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";
import { conversationAt, type Destination } from "../model/outbox.ts";
import { TOPIC_ID } from "./field-ids.ts";

/** Commands that the server runs instead of sending a message: docs/protocol.md#commands. */
const COMMAND = /^\/(?:ping|dark|night|light|day|fluid-width|fixed-width)$/;
/** The length is shown above this part of the limit. */
const NEARLY_FULL = 0.9;

export interface Sending {
  readonly isPossible: boolean;
  /** Whether the message waits for its uploads. */
  readonly isAwaited: boolean;
  /** Undefined while it is far below the limit. */
  readonly length: number | undefined;
  readonly maxLength: number;
  send(): void;
  /** Typing cancels a send that waits for uploads. */
  noteTyped(): void;
}

interface Options {
  narrow: DraftNarrow;
  destination: Destination;
  text: string;
  /** Whether the channel requires a topic and there is none. */
  lacksTopic: boolean;
  isUploading: boolean;
  onNotice(notice: string | undefined): void;
  onSent(): void;
}

export function useSend({ narrow, destination, text, lacksTopic, isUploading, onNotice, onSent }: Options): Sending {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const attempt = useAttempt();
  const [isAwaited, setAwaited] = useState(false);
  const maxLength = useChatState(({ max_message_length }) => max_message_length ?? 10_000);
  const content = text.trim();
  // The server counts code points.
  const length = content.length > maxLength * NEARLY_FULL ? [...content].length : content.length;
  const isTooLong = length > maxLength;

  const sendNow = () => {
    setAwaited(false);
    onSent();
    if (COMMAND.test(content)) {
      attempt(chat.client.call("POST /zcommand", { command: content }).then(() => onNotice(t("writing.commandDone"))));
      chat.drafts.set(narrow, { text: "" });
      return;
    }
    chat.outbox.add(destination, content, chat.queueId);
    chat.drafts.set(narrow, { text: "", topic: "" });
    onNotice(undefined);
    const conversation = conversationAt(destination);
    page.update((before) => ({ ...before, sentTo: narrowKey(conversation) }));
    if (narrow.kind === "channel") go({ page: "messages", narrow: conversation });
  };
  const isPossible = content !== "" && !isTooLong && !lacksTopic;

  const onUploaded = useEffectEvent(() => {
    if (isPossible) sendNow();
    else setAwaited(false);
  });
  useEffect(() => {
    if (isAwaited && !isUploading) onUploaded();
  }, [isAwaited, isUploading]);

  return {
    isPossible,
    isAwaited,
    length: length > maxLength * NEARLY_FULL ? length : undefined,
    maxLength,
    send() {
      if (lacksTopic && content !== "") {
        onNotice(t("writing.needsTopic"));
        document.getElementById(TOPIC_ID)?.focus();
      } else if (isTooLong) onNotice(t("writing.tooLong", { count: length - maxLength }));
      else if (isUploading) setAwaited(true);
      else if (content !== "") sendNow();
    },
    noteTyped: () => setAwaited(false),
  };
}
