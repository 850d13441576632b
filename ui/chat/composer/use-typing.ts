import { useCallback, useEffect, useRef } from "react";
import { useChat, useChatState } from "../chat-context.ts";
import type { Destination } from "../model/outbox.ts";

/** Tells the others that somebody is typing here, and that they stopped; the server says how often. */
export function useTyping(destination: Destination | undefined): (text: string) => void {
  const { chat } = useChat();
  const repeatMs = useChatState((state) => state.server_typing_started_wait_period_milliseconds ?? 10_000);
  const stopMs = useChatState((state) => state.server_typing_stopped_wait_period_milliseconds ?? 5_000);
  const startedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(destination);
  latest.current = destination;

  const notify = useCallback(
    (op: "start" | "stop") => {
      const to = latest.current;
      if (!to) return;
      const where =
        "channelId" in to
          ? { type: "stream" as const, stream_id: to.channelId, topic: to.topic }
          : { type: "direct" as const, to: [...to.userIds] };
      chat.client.call("POST /typing", { op, ...where }).catch(() => {}); // the others see a little less
    },
    [chat],
  );
  const stop = useCallback(() => {
    clearTimeout(timer.current);
    if (startedAt.current === 0) return;
    startedAt.current = 0;
    notify("stop");
  }, [notify]);
  useEffect(() => stop, [stop]);

  return useCallback(
    (text: string) => {
      if (text.trim() === "") return stop();
      clearTimeout(timer.current);
      timer.current = setTimeout(stop, stopMs);
      if (Date.now() - startedAt.current < repeatMs) return;
      startedAt.current = Date.now();
      notify("start");
    },
    [repeatMs, stopMs, stop, notify],
  );
}
