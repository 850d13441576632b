import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import { TOPIC_ID } from "../feed/use-quote.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";
import { conversationAt, type Destination } from "../model/outbox.ts";

/** What the server does instead of sending it: docs/protocol.md#commands. */
const COMMAND = /^\/(?:ping|dark|night|light|day|fluid-width|fixed-width)$/;
/** From here on, what is left is told. */
const NEARLY_FULL = 0.9;

export interface Sending {
  /** Whether there is something to send, and nothing against it. */
  readonly isPossible: boolean;
  /** Whether it is sent as soon as the files are there. */
  readonly isAwaited: boolean;
  /** How many characters there are, where that is near the limit. */
  readonly length: number | undefined;
  readonly maxLength: number;
  send(): void;
  /** Something was typed: it is not sent by itself any more. */
  noteTyped(): void;
}

interface Options {
  narrow: DraftNarrow;
  destination: Destination;
  text: string;
  /** Whether it goes to a channel that needs a topic, and has none. */
  lacksTopic: boolean;
  isUploading: boolean;
  onNotice(notice: string | undefined): void;
  onSent(): void;
}

/** Sends what is written, once its files are there. */
export function useSend({ narrow, destination, text, lacksTopic, isUploading, onNotice, onSent }: Options): Sending {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const attempt = useAttempt();
  const [isAwaited, setAwaited] = useState(false);
  const maxLength = useChatState(({ max_message_length }) => max_message_length ?? 10_000);
  const content = text.trim();
  // As the server counts.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the last file is there
  useEffect(() => {
    if (!isAwaited || isUploading) return;
    if (isPossible) sendNow();
    else setAwaited(false);
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
