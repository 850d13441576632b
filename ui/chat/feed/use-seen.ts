import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { useChat } from "../chat-context.ts";
import type { Feed } from "../model/feed.ts";
import { isReadInOrder } from "../model/narrow.ts";
import { AT_END_PX } from "./scroll-anchor.ts";

/**
 * Marks messages as read when their end is on the screen of a focused window. The end of each unread message is an
 * element with `data-end-of`: the whole row of a long message is never visible at once.
 */
export function useSeen(feed: Feed, scroller: RefObject<HTMLElement | null>, messages: readonly unknown[]): void {
  const { chat, page } = useChat();
  const observer = useRef<IntersectionObserver>(undefined);
  const visible = useRef(new Set<Element>());
  const markSeen = useEffectEvent(() => {
    if (document.visibilityState !== "visible" || !document.hasFocus() || page.value.keepsUnread) return;
    const ends = [...visible.current].filter(({ isConnected }) => isConnected);
    const ids = ends.map((end) => Number((end as HTMLElement).dataset["endOf"]));
    chat.markSeen(ids, feed.narrow);
  });

  useEffect(() => {
    if (!isReadInOrder(feed.narrow)) return;
    const onChange = (entries: readonly IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) visible.current.add(target);
        else visible.current.delete(target);
      markSeen();
    };
    const options = { root: scroller.current, rootMargin: `0px 0px ${AT_END_PX}px 0px` };
    observer.current = new IntersectionObserver(onChange, options);
    const onReturn = () => markSeen();
    window.addEventListener("focus", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      observer.current?.disconnect();
      visible.current.clear();
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, [feed, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages add elements; observing twice is harmless
  useEffect(() => {
    for (const end of scroller.current?.querySelectorAll("[data-end-of]") ?? []) observer.current?.observe(end);
  }, [feed, scroller, messages]);
}
