import { Button } from "@mantine/core";
import { ArrowDown } from "lucide-react";
import { Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { entryKey } from "../../parts/spare-entry.ts";
import { useToday } from "../../parts/use-today.ts";
import { useChat, usePageState } from "../chat-context.ts";
import { isWritten } from "../model/drafts.ts";
import type { Feed } from "../model/feed.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { isConversation, isReadInOrder, narrowKey } from "../model/narrow.ts";
import classes from "./FeedView.module.css";
import { DayLine, UnreadLine } from "./Lines.tsx";
import { MessageView } from "./MessageView.tsx";
import { MoreMessages } from "./MoreMessages.tsx";
import { OutgoingMessages } from "./OutgoingMessages.tsx";
import { RecipientBar } from "./RecipientBar.tsx";
import { keepReadingPosition, type ReadingPosition, readingPosition } from "./reading-position.ts";
import { belongTogether, type Run, runsOf } from "./runs.ts";
import { lastVisibleRow, SCROLLER_ID } from "./selection.ts";
import { TypingLine } from "./TypingLine.tsx";

export interface FeedViewProps {
  feed: Feed;
  /** The message to open at. */
  near: number | undefined;
}

/** More is loaded before the reader gets to the end of what is there. */
const AHEAD_PX = 800;
/** Whoever is so close to the end follows what comes. */
const AT_END_PX = 40;

/** The scrolled messages of a feed. What is read stays where it is on the screen, whatever is loaded around it. */
export function FeedView({ feed, near }: FeedViewProps) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const today = useToday();
  const { messages, isLoaded, error, foundOldest, foundNewest, firstUnread } = useStore(feed.store, (value) => value);
  const pendingCount = useStore(chat.outbox.store, (all) => all.length);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  /** The first message on the screen, and where, when the feed was scrolled to `at`: each change puts it back there. */
  const held = useRef<{ id: number; top: number; at: number } | undefined>(undefined);
  const followsEnd = useRef(false);
  /** Heights as the observer saw them last: it comes after the scroll events of the same frame. */
  const heights = useRef({ box: 0, content: 0 });
  const openedAt = useRef<number | "opened" | undefined>(undefined);
  /** The entry of the history in which it was opened. */
  const entry = useRef<string | undefined>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);
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

  const rowOf = (id: number) => content.current?.querySelector<HTMLElement>(`[data-message-id="${id}"]`) ?? undefined;

  const noteHeld = () => {
    const box = scroller.current;
    if (!box) return;
    const top = box.getBoundingClientRect().top;
    for (const row of box.querySelectorAll<HTMLElement>("[data-message-id]")) {
      const rect = row.getBoundingClientRect();
      if (rect.bottom <= top) continue;
      const position = { id: Number(row.dataset["messageId"]), top: rect.top - top };
      held.current = { ...position, at: box.scrollTop };
      const newest = followsEnd.current ? feed.store.value.messages.at(-1)?.id : undefined;
      keepReadingPosition(entry.current, { ...position, newest });
      return;
    }
  };

  const markSeen = () => {
    const box = scroller.current;
    if (!isReadInOrder(feed.narrow)) return;
    if (!box || document.visibilityState !== "visible" || !document.hasFocus() || page.value.keepsUnread) return;
    const { top, bottom } = box.getBoundingClientRect();
    const unread = new Set(feed.store.value.messages.filter(isUnread).map(({ id }) => id));
    if (unread.size === 0) return;
    const seen = [...box.querySelectorAll<HTMLElement>("[data-message-id]")].filter((row) => {
      const rect = row.getBoundingClientRect();
      return rect.bottom > top && rect.bottom <= bottom + AT_END_PX;
    });
    const ids = seen.map((row) => Number(row.dataset["messageId"])).filter((id) => unread.has(id));
    chat.markSeen(ids, feed.narrow);
  };

  /**
   * Puts what is read back to where it was on the screen, but for what was scrolled since. Returns how many pixels it is
   * still too far down (too far up, where negative), which is where the feed ends first.
   */
  const hold = (): number => {
    const box = scroller.current;
    const row = held.current && rowOf(held.current.id);
    if (!box || !held.current || !row) return 0;
    const expected = held.current.top - (box.scrollTop - held.current.at);
    const moved = row.getBoundingClientRect().top - box.getBoundingClientRect().top - expected;
    if (Math.abs(moved) < 1) return 0;
    const before = box.scrollTop;
    box.scrollTop += moved;
    const done = box.scrollTop - before;
    held.current.at += done;
    return Math.abs(moved - done) < 1 ? 0 : moved - done;
  };

  const stay = () => {
    const box = scroller.current;
    if (box && followsEnd.current) box.scrollTop = box.scrollHeight;
    else hold();
  };

  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const toEnd = box.scrollHeight - box.scrollTop - box.clientHeight;
    const isFollowing = toEnd <= AT_END_PX && feed.store.value.foundNewest;
    const { box: height, content: contentHeight } = heights.current;
    // Whoever is at the end did not leave it because the composer has grown or a picture has come.
    if (isFollowing || (height === box.clientHeight && contentHeight === box.scrollHeight))
      followsEnd.current = isFollowing;
    // In each frame, scroll events come before the observer: what has grown above is not corrected yet.
    const missing = followsEnd.current ? 0 : hold();
    setAtEnd(toEnd <= AT_END_PX * 4);
    // What is still to be loaded may make room for it.
    const { foundOldest, foundNewest } = feed.store.value;
    if (missing === 0 || (missing > 0 ? foundNewest : foundOldest)) noteHeld();
    markSeen();
    if (box.scrollTop < AHEAD_PX) void feed.loadOlder();
    if (toEnd < AHEAD_PX) void feed.loadNewer();
  };

  /** Goes on where one was reading in this entry of the history; false where that is not to be found. */
  const readOn = ({ id, top, newest }: ReadingPosition): boolean => {
    const row = rowOf(id);
    if (!row) return false;
    followsEnd.current = foundNewest && newest !== undefined && newest === messages.at(-1)?.id;
    held.current = { id, top, at: scroller.current?.scrollTop ?? 0 };
    stay();
    return true;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of what is shown
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !isLoaded) return;
    const opening = near ?? "opened";
    const position = openedAt.current === opening ? undefined : readingPosition();
    if (openedAt.current !== opening) entry.current = undefined;
    // The conversation loads around it.
    if (position && !rowOf(position.id) && feed.answeredNear !== position.id) return;
    if (position && readOn(position)) openedAt.current = opening;
    else if (openedAt.current !== opening && (near === undefined || rowOf(near))) {
      openedAt.current = opening;
      followsEnd.current = false;
      held.current = undefined;
      const target = near ?? firstUnread;
      const row = target === undefined ? undefined : rowOf(target);
      if (row)
        box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4;
      else box.scrollTop = box.scrollHeight;
      if (page.value.focus === "messages") {
        // A form that was opened with the conversation keeps it.
        if (!page.value.move) (row ?? lastVisibleRow(box) ?? box).focus({ preventScroll: true });
        page.update((before) => ({ ...before, focus: "composer" }));
      }
    } else stay();
    if (openedAt.current === opening) entry.current ??= entryKey();
    onScroll();
  }, [messages, isLoaded, error, near, pendingCount]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the listeners read refs
  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    // Pictures and fonts change heights after the first layout; a phone's keyboard changes the room.
    const observer = new ResizeObserver(() => {
      stay();
      heights.current = { box: box.clientHeight, content: box.scrollHeight };
    });
    observer.observe(inner);
    observer.observe(box);
    window.addEventListener("focus", markSeen);
    document.addEventListener("visibilitychange", markSeen);
    return () => {
      observer.disconnect();
      window.removeEventListener("focus", markSeen);
      document.removeEventListener("visibilitychange", markSeen);
    };
  }, [feed]);

  const toEnd = async () => {
    followsEnd.current = true;
    if (!foundNewest) await feed.open("newest");
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  };

  // Whoever has sent something sees it, wherever they were reading.
  const hasSent = usePageState(({ sentTo }) => sentTo === narrowKey(feed.narrow));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message that is sent
  useEffect(() => {
    if (!hasSent || !isLoaded) return;
    page.update((before) => ({ ...before, sentTo: undefined }));
    void toEnd();
  }, [hasSent, isLoaded]);

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
          aria-live="polite"
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
      {isLoaded && !isAtEnd && (
        <Button
          className={classes.toEnd}
          size="xs"
          variant="default"
          onClick={() => void toEnd().then(() => scroller.current?.focus({ preventScroll: true }))} // the button goes
          leftSection={<ArrowDown size="0.9375rem" aria-hidden="true" />}
        >
          {t("chat.toNewest")}
        </Button>
      )}
    </div>
  );
}

const isUnread = ({ flags }: Message): boolean => !flags.includes("read");

let days = new WeakMap<Message, string>();
let daysFor = "";

/** The day of a message, which each drawing of the feed asks of every row. `today` tells the zone. */
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
