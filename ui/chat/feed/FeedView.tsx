import { Button } from "@mantine/core";
import { ArrowDown } from "lucide-react";
import { Fragment, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { entryKey } from "../../parts/spare-entry.ts";
import { useToday } from "../../parts/use-today.ts";
import { useChat, usePageState } from "../chat-context.ts";
import { isWritten } from "../model/drafts.ts";
import type { Feed } from "../model/feed.ts";
import { conversationOf, type FeedState, hasArrival, type Message } from "../model/feed-state.ts";
import { isConversation, narrowKey } from "../model/narrow.ts";
import { isFor } from "../model/outbox.ts";
import { DayLine, RecipientBar, UnreadLine } from "./FeedHeadings.tsx";
import classes from "./FeedView.module.css";
import { MessageView } from "./MessageView.tsx";
import { MoreMessages } from "./MoreMessages.tsx";
import { OutgoingMessages } from "./OutgoingMessages.tsx";
import { keepReadingPosition, readingPosition } from "./reading-position.ts";
import { belongTogether, type Run, runsOf } from "./runs.ts";
import { AT_END_PX, ScrollAnchor, scrollBoxIn } from "./scroll-anchor.ts";
import { lastVisibleRow, SCROLLER_ID } from "./selection.ts";
import { TypingLine } from "./TypingLine.tsx";
import { useSeen } from "./use-seen.ts";

export interface FeedViewProps {
  feed: Feed;
  /** The linked message. */
  near: number | undefined;
}

/** History loads this far before the reader reaches the end of the loaded messages. */
const AHEAD_PX = 800;
/** Longer than screen readers take to notice a new message. */
const ANNOUNCED_MS = 1_000;

export function FeedView({ feed, near }: FeedViewProps) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const today = useToday();
  const state = useStore(feed.store, (value) => value);
  const { messages, isLoaded, error, foundOldest, foundNewest, firstUnread } = state;
  const pendingCount = useStore(chat.outbox.store, (all) => all.filter(({ to }) => isFor(feed.narrow, to)).length);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [anchor] = useState(() => new ScrollAnchor(scrollBoxIn(scroller)));
  /** The `near` at which the feed is open, and the history entry that stores its reading position. */
  const opened = useRef<{ near: number | undefined; entry: string | undefined }>(undefined);
  const [isNearEnd, setNearEnd] = useState(true);
  const isMixed = !isConversation(feed.narrow);
  const lastRuns = useRef<readonly Run[]>([]);
  const runs = useMemo(() => {
    const startsRun = (message: Message, previous: Message) =>
      isMixed &&
      (dayOf(message, today) !== dayOf(previous, today) ||
        conversationKey(message, chat.userId) !== conversationKey(previous, chat.userId));
    return runsOf(messages, startsRun, lastRuns.current);
  }, [messages, today, isMixed, chat]);
  useLayoutEffect(() => {
    lastRuns.current = runs;
  }, [runs]);
  useSeen(feed, scroller, messages);
  useAnnouncedArrivals(content, state);

  const rowOf = (id: number) => content.current?.querySelector<HTMLElement>(`[data-message-id="${id}"]`) ?? undefined;

  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const current = feed.store.value;
    const first = anchor.scrolled(current);
    const newest = anchor.followsEnd ? current.messages.at(-1)?.id : undefined;
    if (first) keepReadingPosition(opened.current?.entry, { id: first.id, top: first.top, newest });
    setNearEnd(anchor.distanceToEnd <= AT_END_PX * 4);
    if (box.scrollTop < AHEAD_PX) void feed.loadOlder();
    if (anchor.distanceToEnd < AHEAD_PX) void feed.loadNewer();
  };

  /** Scrolls to the linked message, else to the first unread one, else to the end. */
  const openAt = (box: HTMLElement) => {
    const target = near ?? firstUnread;
    anchor.openAt(target);
    if (page.value.focus !== "messages") return;
    // A form that opened with the conversation keeps the focus.
    if (!page.value.move) {
      const row = target === undefined ? undefined : rowOf(target);
      (row ?? lastVisibleRow(box) ?? box).focus({ preventScroll: true });
    }
    page.update((before) => ({ ...before, focus: "composer" }));
  };

  const settle = useEffectEvent(() => {
    const box = scroller.current;
    if (!box || !isLoaded) return;
    if (opened.current && opened.current.near === near) {
      opened.current.entry ??= entryKey();
      anchor.stay();
    } else {
      if (opened.current) opened.current.entry = undefined;
      const stored = readingPosition();
      // Waits until the messages around the stored position are loaded.
      if (stored && !rowOf(stored.id) && feed.openedNear !== stored.id) return;
      const wasAtNewest = stored?.newest !== undefined && stored.newest === messages.at(-1)?.id;
      const isRestored = stored !== undefined && anchor.restore(stored, foundNewest && wasAtNewest);
      if (!isRestored && near !== undefined && !rowOf(near)) anchor.stay();
      else {
        if (!isRestored) openAt(box);
        opened.current = { near, entry: entryKey() };
      }
    }
    onScroll();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the content
  useLayoutEffect(() => settle(), [messages, isLoaded, error, near, pendingCount]);

  useEffect(() => {
    if (!scroller.current || !content.current) return;
    // Pictures and fonts change heights after the first layout; a phone's keyboard changes the height of the box.
    const observer = new ResizeObserver(() => anchor.resized());
    observer.observe(content.current);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [anchor]);

  const toEnd = async () => {
    anchor.followEnd();
    if (!foundNewest) await feed.open("newest");
    if (scroller.current) anchor.scrollToEnd();
  };

  const hasSent = usePageState(({ sentTo }) => sentTo === narrowKey(feed.narrow));
  const onSent = useEffectEvent(() => void toEnd());
  useEffect(() => {
    if (!hasSent || !isLoaded) return;
    page.update((before) => ({ ...before, sentTo: undefined }));
    onSent();
  }, [hasSent, isLoaded, page]);

  return (
    <div className={classes.frame}>
      <div
        className={classes.scroller}
        ref={scroller}
        id={SCROLLER_ID}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
        aria-busy={!isLoaded}
        data-headed={isMixed}
      >
        <div
          className={classes.content}
          ref={content}
          role="log"
          aria-label={t("chat.messages")}
          aria-live="off"
          data-written={isWritten(feed.narrow)}
        >
          {!isLoaded && <Skeleton />}
          {isLoaded && !foundOldest && <MoreMessages feed={feed} end="older" />}
          {isLoaded && messages.length === 0 && pendingCount === 0 && (
            <p className={classes.empty}>{t(`views.empty.${feed.narrow.kind}`)}</p>
          )}
          {runs.map(({ key, messages: inRun }, at) => (
            <div key={key}>
              {inRun.map((message, index) => {
                const before = index > 0 ? inRun[index - 1] : runs[at - 1]?.messages.at(-1);
                const startsDay = !before || dayOf(before, today) !== dayOf(message, today);
                const startsUnread = message.id === firstUnread;
                const hasHeading = isMixed && index === 0;
                const isTogether =
                  !startsDay && !startsUnread && !hasHeading && before !== undefined && belongTogether(before, message);
                return (
                  <Fragment key={message.id}>
                    {startsDay && <DayLine at={message.timestamp * 1000} />}
                    {startsUnread && <UnreadLine />}
                    {hasHeading && (
                      <RecipientBar narrow={conversationOf(message, chat.userId)} messageId={message.id} />
                    )}
                    <MessageView message={message} isTogether={isTogether} isTarget={message.id === near} />
                    {isUnread(message) && <span className={classes.end} data-end-of={message.id} />}
                  </Fragment>
                );
              })}
            </div>
          ))}
          {isLoaded && !foundNewest && <MoreMessages feed={feed} end="newer" />}
          {(foundNewest || error !== undefined) && <OutgoingMessages feed={feed} after={messages.at(-1)} />}
        </div>
      </div>
      <TypingLine narrow={feed.narrow} />
      {isLoaded && !isNearEnd && (
        <Button
          className={classes.toEnd}
          size="xs"
          variant="default"
          // The button disappears at the end, so the focus moves to the feed.
          onClick={() => void toEnd().then(() => scroller.current?.focus({ preventScroll: true }))}
          leftSection={<ArrowDown size="0.9375rem" aria-hidden="true" />}
        >
          {t("chat.toNewest")}
        </Button>
      )}
    </div>
  );
}

/** Screen readers announce messages that arrive, but not history that loads, or buttons that appear on hover. */
function useAnnouncedArrivals(log: RefObject<HTMLElement | null>, state: FeedState): void {
  const last = useRef(state);
  useLayoutEffect(() => {
    const isArrival = hasArrival(last.current, state);
    last.current = state;
    const element = log.current;
    if (!element || !isArrival) return;
    const silence = () => {
      element.ariaLive = "off";
    };
    element.ariaLive = "polite";
    const timer = setTimeout(silence, ANNOUNCED_MS);
    return () => {
      clearTimeout(timer);
      silence();
    };
  }, [log, state]);
}

const isUnread = ({ flags }: Message): boolean => !flags.includes("read");

let days = new WeakMap<Message, string>();
let daysFor = "";

/** Cached, because each render needs it for every message; `today` changes with the time zone. */
function dayOf(message: Message, today: string): string {
  if (today !== daysFor) days = new WeakMap();
  daysFor = today;
  const day = days.get(message) ?? new Date(message.timestamp * 1000).toDateString();
  days.set(message, day);
  return day;
}

const conversationKey = (message: Message, self: number): string => narrowKey(conversationOf(message, self));

function Skeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      {[62, 88, 45, 70, 34, 80].map((width) => (
        <div key={width}>
          <span />
          <i style={{ inlineSize: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}
