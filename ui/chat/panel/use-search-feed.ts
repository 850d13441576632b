import { useEffect, useEffectEvent, useState } from "react";
import { useChat } from "../chat-context.ts";
import type { Feed } from "../model/feed.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";

/**
 * The feed of a search next to the conversation. Like each feed it follows new, edited and deleted messages. Until it is
 * loaded, the feed of the search before it is returned.
 */
export function useSearchFeed(narrow: Narrow | undefined, pauseMs = 0): { feed: Feed | undefined; isBusy: boolean } {
  const { chat } = useChat();
  const [found, setFound] = useState<{ feed: Feed; key: string }>();
  const key = narrow && narrowKey(narrow);
  const open = useEffectEvent(() => narrow && chat.openBeside(narrow));

  useEffect(() => {
    if (key === undefined) return setFound(undefined);
    let close: (() => void) | undefined;
    const timer = setTimeout(() => {
      const beside = open();
      if (!beside) return;
      close = beside.close;
      void beside.opened.then(() => close && setFound({ feed: beside.feed, key }));
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      close?.();
      close = undefined;
    };
  }, [key, pauseMs]);
  return { feed: key === undefined ? undefined : found?.feed, isBusy: key !== undefined && found?.key !== key };
}
