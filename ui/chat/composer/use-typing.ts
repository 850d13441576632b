import { useCallback, useEffect, useRef } from "react";
import { useChat, useChatState } from "../chat-context.ts";
import type { Chat } from "../model/chat.ts";
import type { Destination } from "../model/outbox.ts";

/** Returns a function that sends typing notifications; the server sets their intervals. */
export function useTyping(destination: Destination): (text: string) => void {
  const { chat } = useChat();
  const repeatMs = useChatState((state) => state.server_typing_started_wait_period_milliseconds ?? 10_000);
  const stopMs = useChatState((state) => state.server_typing_stopped_wait_period_milliseconds ?? 5_000);
  const started = useRef<{ to: Destination; at: number }>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stop = useCallback(() => {
    clearTimeout(timer.current);
    if (!started.current) return;
    notify(chat, "stop", started.current.to);
    started.current = undefined;
  }, [chat]);
  useEffect(() => stop, [stop]);

  return (text) => {
    if (text.trim() === "") return stop();
    clearTimeout(timer.current);
    timer.current = setTimeout(stop, stopMs);
    if (started.current && Date.now() - started.current.at < repeatMs) return;
    started.current = { to: destination, at: Date.now() };
    notify(chat, "start", destination);
  };
}

function notify({ client }: Chat, op: "start" | "stop", to: Destination): void {
  const target =
    "channelId" in to
      ? { type: "stream" as const, stream_id: to.channelId, topic: to.topic }
      : { type: "direct" as const, to: [...to.userIds] };
  client.call("POST /typing", { op, ...target }).catch(() => {}); // losing one does no harm
}
