import { useQuery } from "@tanstack/react-query";
import { useChat, useChatState } from "../chat-context.ts";
import { channelById } from "../model/selectors.ts";

/** The ids of a channel's subscribers. /register does not list them, so another count fetches them again. */
export function useSubscribers(channelId: number | undefined) {
  const { chat } = useChat();
  const count = useChatState((state) =>
    channelId === undefined ? undefined : channelById(state, channelId)?.subscriber_count,
  );
  return useQuery({
    queryKey: ["GET /streams/{stream_id}/members", channelId, count],
    queryFn: async ({ signal }) =>
      (await chat.client.call("GET /streams/{stream_id}/members", { stream_id: channelId ?? 0 }, signal)).subscribers,
    staleTime: 0, // the same count again can mean other people
    enabled: channelId !== undefined,
    placeholderData: (ids, query) => (query?.queryKey[1] === channelId ? ids : undefined),
  });
}
