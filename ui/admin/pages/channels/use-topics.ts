import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { liveTab } from "../../../api/live-tab.ts";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";
import type { Channel } from "./channel-kinds.ts";

export interface Topic {
  readonly name: string;
  /** The id of its newest message. */
  readonly max_id: number;
}

export const TOPICS = "GET /users/me/{stream_id}/topics";

/** Events within this time cause one request. */
const GATHER_MS = 400;

/**
 * The topics of a channel, live. The window follows no messages otherwise, so this registers an event queue for the
 * channel's messages while the topics are shown.
 */
export function useTopics({ stream_id, name }: Channel): UseQueryResult<Answer<typeof TOPICS>> {
  const client = useClient();
  const queries = useQueryClient();
  const userId = useOrganization(({ user_id }) => user_id ?? 0);
  useEffect(() => {
    let timer: number | undefined;
    const live = liveTab().goLive({
      client,
      userId,
      register: {
        event_types: ["message", "update_message", "delete_message"],
        fetch_event_types: [],
        narrow: [["channel", name]],
        all_public_streams: true,
      },
      onState: (_state, events) => {
        const isAffected = events.some((event) => !("stream_id" in event) || event.stream_id === stream_id);
        if (!isAffected || timer !== undefined) return;
        timer = window.setTimeout(() => {
          timer = undefined;
          void queries.invalidateQueries({ queryKey: [TOPICS] });
        }, GATHER_MS);
      },
    });
    return () => {
      window.clearTimeout(timer);
      live.stop();
    };
  }, [client, queries, userId, name, stream_id]);
  return useAnswer(TOPICS, { stream_id, allow_empty_topic_name: true });
}
