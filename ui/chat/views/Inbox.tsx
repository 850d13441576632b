import { Button } from "@mantine/core";
import { Check, CheckCheck } from "lucide-react";
import { memo, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { useStore } from "../../api/store.ts";
import { IS_TOUCHED } from "../../parts/touch.ts";
import { useChat, useChatState, useDerived } from "../chat-context.ts";
import { useMarkRead } from "../feed/use-mark-read.ts";
import { MAX_EXCERPTS } from "../model/excerpts.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { isMuted } from "../model/people.ts";
import type { ReadScope } from "../model/reading.ts";
import { channelById, othersOf, personById } from "../model/selectors.ts";
import { isTopicMuted } from "../model/topic-policies.ts";
import { isSomethingUnread, unreadCounts } from "../model/unread.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { LineTexts, type LineTextsProps } from "../parts/LineTexts.tsx";
import { PageHeader } from "../parts/PageHeader.tsx";
import { MentionMark, UnreadCount } from "../parts/UnreadCount.tsx";
import { ChannelIcon } from "../sidebar/ChannelItem.tsx";
import { addressIn } from "../use-place.ts";
import classes from "./Inbox.module.css";

type Conversation = Extract<Narrow, { readonly kind: "topic" | "direct" }>;

interface Line {
  narrow: Conversation;
  count: number;
  isMentioned: boolean;
  newest: number;
}

interface InboxLines {
  direct: readonly Line[];
  channels: readonly { channelId: number; lines: readonly Line[] }[];
}

/** Unread conversations, by channel; the newest first. */
function inboxLines(state: State): InboxLines {
  const unread = state.unread_msgs;
  const self = state.user_id ?? 0;
  const { mentioned } = unreadCounts(state);
  const lineOf = (narrow: Conversation, ids: readonly number[]): Line => ({
    narrow,
    count: ids.length,
    isMentioned: mentioned.has(narrowKey(narrow)),
    newest: ids.at(-1) ?? 0,
  });
  const newestFirst = (a: Line, b: Line) => b.newest - a.newest;
  const direct = [
    ...(unread?.pms ?? []).map(({ other_user_id, unread_message_ids }) =>
      lineOf({ kind: "direct", userIds: [other_user_id] }, unread_message_ids),
    ),
    ...(unread?.huddles ?? []).map(({ user_ids_string, unread_message_ids }) =>
      lineOf({ kind: "direct", userIds: othersOf(user_ids_string, self) }, unread_message_ids),
    ),
  ].sort(newestFirst);
  const byChannel = new Map<number, Line[]>();
  for (const { stream_id: channelId, topic, unread_message_ids } of unread?.streams ?? []) {
    if (isTopicMuted(state, channelId, topic)) continue;
    const lines = byChannel.get(channelId) ?? [];
    byChannel.set(channelId, lines);
    lines.push(lineOf({ kind: "topic", channelId, topic }, unread_message_ids));
  }
  const channels = [...byChannel].map(([channelId, lines]) => ({ channelId, lines: lines.sort(newestFirst) }));
  channels.sort((a, b) => (b.lines[0]?.newest ?? 0) - (a.lines[0]?.newest ?? 0));
  return { direct, channels };
}

export function Inbox() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const markRead = useMarkRead();
  const { direct, channels } = useDerived(inboxLines);
  const hasUnread = useChatState(isSomethingUnread);

  const newest = [direct, ...channels.map(({ lines }) => lines)].flatMap((lines) => lines.map((line) => line.newest));
  const ids = newest
    .sort((a, b) => b - a)
    .slice(0, MAX_EXCERPTS)
    .join();
  useEffect(() => void chat.excerpts.load(ids === "" ? [] : ids.split(",").map(Number)), [chat, ids]);

  return (
    <>
      <PageHeader title={t("views.inbox")} />
      <div className={classes.inbox}>
        {direct.length === 0 && channels.length === 0 && (
          <div className={classes.empty}>
            <Check size="2rem" aria-hidden="true" />
            <p>{t("chat.allRead")}</p>
            <p className={classes.hint}>{t("chat.allReadHint")}</p>
          </div>
        )}
        {hasUnread && (
          <div className={classes.actions}>
            <Button
              variant="default"
              size={IS_TOUCHED ? "sm" : "xs"}
              leftSection={<CheckCheck size="1rem" aria-hidden="true" />}
              onClick={() => {
                markRead({ kind: "everything" });
                document.getElementById("conversation")?.focus();
              }}
            >
              {t("chat.markEverythingRead")}
            </Button>
          </div>
        )}
        {direct.length > 0 && (
          <section className={classes.section}>
            <h3>
              <span className={classes.heading}>{t("chat.directMessages")}</span>
              <MarkReadButton
                scope={DIRECTS}
                label={t("chat.markReadNamed", { name: t("chat.directMessages") })}
                markRead={markRead}
              />
            </h3>
            <Lines lines={direct} markRead={markRead} />
          </section>
        )}
        {channels.map(({ channelId, lines }) => (
          <section key={channelId} className={classes.section}>
            <Heading channelId={channelId} markRead={markRead} />
            <Lines lines={lines} markRead={markRead} />
          </section>
        ))}
      </div>
    </>
  );
}

type MarkRead = ReturnType<typeof useMarkRead>;

function Heading({ channelId, markRead }: { channelId: number; markRead: MarkRead }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const channel = useChatState((state) => channelById(state, channelId));
  const name = channel?.name ?? t("chat.unknownChannel");
  return (
    <h3>
      {channel && <ChannelIcon channel={channel} />}
      <a
        href={addressIn(chat.state.value, { page: "messages", narrow: { kind: "channel", channelId } })}
        className={classes.heading}
      >
        <bdi>{name}</bdi>
      </a>
      {channel && (
        <MarkReadButton
          scope={{ kind: "channel", channelId }}
          label={t("chat.markReadNamed", { name })}
          markRead={markRead}
        />
      )}
    </h3>
  );
}

function Lines({ lines, markRead }: { lines: readonly Line[]; markRead: MarkRead }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const narrowTitle = useNarrowTitle();
  const excerpts = useStore(chat.excerpts.store, (value) => value);
  const shown = useDerived((state) =>
    lines.map(({ narrow, newest, ...line }) => {
      const excerpt = excerpts.get(newest);
      const isAlone = narrow.kind === "direct" && narrow.userIds.length === 1;
      return {
        ...line,
        narrow,
        href: addressIn(state, { page: "messages", narrow }),
        title: narrowTitle(state, narrow),
        excerpt: excerpt && !isMuted(state, excerpt.senderId) ? excerpt : undefined,
        sender: excerpt && !isAlone ? personById(state, excerpt.senderId)?.full_name : undefined,
      };
    }),
  );
  return (
    <ul className={classes.lines}>
      {shown.map((line) => (
        <InboxLine
          key={narrowKey(line.narrow)}
          {...line}
          readLabel={t("chat.markReadNamed", { name: line.title })}
          markRead={markRead}
        />
      ))}
    </ul>
  );
}

interface InboxLineProps extends Pick<LineTextsProps, "title" | "excerpt" | "sender"> {
  narrow: Conversation;
  href: string;
  readLabel: string;
  markRead: MarkRead;
  count: number;
  isMentioned: boolean;
}

/** An event changes few of possibly thousands of lines. */
const InboxLine = memo(function InboxLine(props: InboxLineProps) {
  const { narrow, href, title, readLabel, markRead, count, isMentioned, excerpt, sender } = props;
  return (
    <li className={classes.item}>
      <a className={classes.line} href={href}>
        <LineTexts title={title} excerpt={excerpt} sender={sender} />
        {isMentioned && <MentionMark />}
        <UnreadCount count={count} className={classes.count} />
      </a>
      <MarkReadButton scope={narrow} label={readLabel} markRead={markRead} />
    </li>
  );
});

const DIRECTS: ReadScope = { kind: "directs" };

interface MarkReadButtonProps {
  scope: ReadScope;
  label: string;
  markRead: MarkRead;
}

/** Marks a line, or all lines below a heading, as read. They disappear, so the focus moves to the next line. */
function MarkReadButton({ scope, label, markRead }: MarkReadButtonProps) {
  return (
    <button
      type="button"
      className={classes.read}
      aria-label={label}
      data-tooltip={label}
      onClick={({ currentTarget }) => {
        markRead(scope);
        const line = currentTarget.closest("li");
        const next = (line ?? currentTarget.closest("section"))?.nextElementSibling ?? line?.previousElementSibling;
        const target = next?.querySelector<HTMLElement>(`.${classes.read}`) ?? document.getElementById("conversation");
        target?.focus();
      }}
    />
  );
}
