import { useChatState } from "../chat-context.ts";
import type { Narrow } from "../model/narrow.ts";
import { channelById } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";

/** Where something is to be sent, in one line: `channel › topic`, or the people. */
export function useDestinationTitle(): (narrow: Narrow) => string {
  const state = useChatState((value) => value);
  const narrowTitle = useNarrowTitle();
  return (narrow) => {
    const title = narrowTitle(state, narrow);
    if (narrow.kind !== "topic") return title;
    return `${channelById(state, narrow.channelId)?.name ?? ""} › ${title}`;
  };
}
