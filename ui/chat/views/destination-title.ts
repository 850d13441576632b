import { useChatState } from "../chat-context.ts";
import type { Narrow } from "../model/narrow.ts";
import { channelById } from "../model/selectors.ts";
import { useNarrowTitle } from "../narrow-title.ts";

/** A destination in one line: `channel › topic`, or the names of people. Empty for an unknown destination. */
export function useDestinationTitle(narrow: Narrow | undefined): string {
  const narrowTitle = useNarrowTitle();
  return useChatState((state) => {
    if (!narrow) return "";
    const title = narrowTitle(state, narrow);
    return narrow.kind === "topic" ? `${channelById(state, narrow.channelId)?.name ?? ""} › ${title}` : title;
  });
}
