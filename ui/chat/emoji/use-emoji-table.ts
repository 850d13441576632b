import { useQuery } from "@tanstack/react-query";
import { useChatState } from "../chat-context.ts";
import { type EmojiTable, loadEmojiTable, NO_TABLE } from "./emoji-table.ts";

/** All Unicode emoji; empty while they load, and while nothing needs them. */
export function useEmojiTable(isNeeded = true): EmojiTable {
  const url = useChatState(({ server_emoji_data_url }) => server_emoji_data_url ?? "");
  const { data = NO_TABLE } = useQuery({
    queryKey: ["emoji", url],
    queryFn: () => loadEmojiTable(url),
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    // The table has thousands of entries, and a new response has nothing in common with an old one.
    structuralSharing: false,
  });
  return data;
}
