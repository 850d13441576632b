import { Check } from "lucide-react";
import { memo, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Channel, State } from "../api/state-shape.ts";
import { useStore } from "../api/store.ts";
import { plainText } from "../parts/plain-text.ts";
import { useChat, useChatState } from "./chat-context.ts";
import classes from "./Inbox.module.css";
import type { Excerpt } from "./model/excerpts.ts";
import { type Narrow, narrowKey } from "./model/narrow.ts";
import { isMuted } from "./model/people.ts";
import { channelById, othersOf, personById } from "./model/selectors.ts";
import { isTopicMuted } from "./model/topic-policies.ts";
import { unreadCounts } from "./model/unread.ts";
import { useNarrowTitle } from "./narrow-title.ts";
import { PageHeader } from "./PageHeader.tsx";
import { ChannelIcon } from "./sidebar/ChannelItem.tsx";
import { MentionMark, UnreadCount } from "./UnreadCount.tsx";
import { addressIn } from "./use-place.ts";

interface Line {
  narrow: Narrow;
  count: number;
  isMentioned: boolean;
  newest: number;
}

/** Of thousands of conversations, those above say what was written last. */
const MAX_EXCERPTS = 100;

/** What is unread, by direct conversation, channel and topic; the newest first. */
export function Inbox() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const state = useChatState((value) => value);
  const unread = state.unread_msgs;
  const self = state.user_id ?? 0;
  const { mentioned } = unreadCounts(state);
  const lineOf = (narrow: Narrow, ids: readonly number[]): Line => ({
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

  const newest = [direct, ...channels.map(({ lines }) => lines)].flatMap((lines) => lines.map((line) => line.newest));
  const asked = newest.sort((a, b) => b - a).slice(0, MAX_EXCERPTS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list of the same messages asks for nothing
  useEffect(() => void chat.excerpts.load(asked), [chat, asked.join()]);

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
        {direct.length > 0 && (
          <section className={classes.section}>
            <h3>{t("chat.directMessages")}</h3>
            <Lines lines={direct} state={state} />
          </section>
        )}
        {channels.map(({ channelId, lines }) => {
          const channel = channelById(state, channelId);
          return (
            <section key={channelId} className={classes.section}>
              <Heading
                channel={channel}
                name={channel?.name ?? t("chat.unknownChannel")}
                href={addressIn(state, { page: "messages", narrow: { kind: "channel", channelId } })}
              />
              <Lines lines={lines} state={state} />
            </section>
          );
        })}
      </div>
    </>
  );
}

interface HeadingProps {
  channel: Channel | undefined;
  name: string;
  href: string;
}

const Heading = memo(function Heading({ channel, name, href }: HeadingProps) {
  return (
    <h3>
      {channel && <ChannelIcon channel={channel} />}
      <a href={href}>
        <bdi>{name}</bdi>
      </a>
    </h3>
  );
});

function Lines({ lines, state }: { lines: readonly Line[]; state: State }) {
  const { chat } = useChat();
  const narrowTitle = useNarrowTitle();
  const excerpts = useStore(chat.excerpts.store, (known) => known);
  return (
    <ul className={classes.lines}>
      {lines.map(({ narrow, count, isMentioned, newest }) => {
        const excerpt = excerpts.get(newest);
        const isAlone = narrow.kind === "direct" && narrow.userIds.length === 1;
        return (
          <InboxLine
            key={narrowKey(narrow)}
            href={addressIn(state, { page: "messages", narrow })}
            title={narrowTitle(state, narrow)}
            count={count}
            isMentioned={isMentioned}
            excerpt={excerpt && !isMuted(state, excerpt.senderId) ? excerpt : undefined}
            sender={excerpt && !isAlone ? personById(state, excerpt.senderId)?.full_name : undefined}
          />
        );
      })}
    </ul>
  );
}

interface InboxLineProps {
  href: string;
  title: string;
  count: number;
  isMentioned: boolean;
  /** The newest of the unread messages, where it is known. */
  excerpt: Excerpt | undefined;
  /** Who wrote it; undefined where the title says so. */
  sender: string | undefined;
}

/** Of thousands, an event concerns one. */
const InboxLine = memo(function InboxLine(props: InboxLineProps) {
  const { href, title, count, isMentioned, excerpt, sender } = props;
  const text = useMemo(() => excerpt && plainText(excerpt.html), [excerpt]);
  return (
    <li>
      <a className={classes.line} href={href}>
        <span className={classes.texts}>
          <span className={classes.name}>
            <bdi>{title}</bdi>
          </span>
          {text && (
            <span className={classes.excerpt}>
              {sender !== undefined && (
                <>
                  <bdi>{sender}</bdi>:{" "}
                </>
              )}
              <bdi>{text}</bdi>
            </span>
          )}
        </span>
        {isMentioned && <MentionMark />}
        <UnreadCount count={count} className={classes.count} />
      </a>
    </li>
  );
});
