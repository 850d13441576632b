import { useEffect, useState } from "react";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { channelById } from "../model/selectors.ts";

export interface Subscribers {
  /** Undefined until the server has said who they are, and where it does not. */
  readonly ids?: readonly number[];
  readonly error?: string;
}

const NOT_YET: Subscribers = {};

/** Who is in a channel: /register does not list subscribers, so they are asked for when their number changes. */
export function useSubscribers(channelId: number | undefined): Subscribers {
  const { chat } = useChat();
  const [answer, setAnswer] = useState<Subscribers & { of?: number | undefined }>(NOT_YET);
  const count = useChatState((state) =>
    channelId === undefined ? undefined : channelById(state, channelId)?.subscriber_count,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another count means other members
  useEffect(() => {
    if (channelId === undefined) return;
    const asked = new AbortController();
    chat.client.call("GET /streams/{stream_id}/members", { stream_id: channelId }, asked.signal).then(
      ({ subscribers }) => setAnswer({ of: channelId, ids: subscribers }),
      (error) =>
        asked.signal.aborted ||
        // Who was listed stays listed.
        setAnswer((before) => (before.ids && before.of === channelId ? before : { error: errorMessage(error) })),
    );
    return () => asked.abort();
  }, [chat, channelId, count]);
  return answer;
}
