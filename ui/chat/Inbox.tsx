import { VisuallyHidden } from "@mantine/core";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { number } from "../parts/format.ts";
import { useChat, useChatState } from "./chat-context.ts";
import classes from "./Inbox.module.css";
import { type Narrow, narrowKey } from "./model/narrow.ts";
import { channelById, subscriptionTo } from "./model/selectors.ts";
import { useNarrowTitle } from "./narrow-title.ts";
import { PageHeader } from "./PageHeader.tsx";
import { ChannelIcon } from "./sidebar/ChannelItem.tsx";
import { addressIn } from "./use-place.ts";

interface Line {
  narrow: Narrow;
  count: number;
  newest: number;
}

/** What is unread, by direct conversation, channel and topic; the newest first. */
export function Inbox() {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const unread = state.unread_msgs;
  const self = state.user_id ?? 0;
  const lineOf = (narrow: Narrow, ids: readonly number[]): Line => ({
    narrow,
    count: ids.length,
    newest: ids.at(-1) ?? 0,
  });
  const newestFirst = (a: Line, b: Line) => b.newest - a.newest;
  const direct = [
    ...(unread?.pms ?? []).map(({ other_user_id, unread_message_ids }) =>
      lineOf({ kind: "direct", userIds: [other_user_id] }, unread_message_ids),
    ),
    ...(unread?.huddles ?? []).map(({ user_ids_string, unread_message_ids }) => {
      const userIds = user_ids_string.split(",").map(Number);
      return lineOf({ kind: "direct", userIds: userIds.filter((id) => id !== self) }, unread_message_ids);
    }),
  ].sort(newestFirst);
  const byChannel = new Map<number, Line[]>();
  for (const { stream_id: channelId, topic, unread_message_ids } of unread?.streams ?? []) {
    if (subscriptionTo(state, channelId)?.is_muted) continue;
    const lines = byChannel.get(channelId) ?? [];
    byChannel.set(channelId, lines);
    lines.push(lineOf({ kind: "topic", channelId, topic }, unread_message_ids));
  }
  const channels = [...byChannel].map(([channelId, lines]) => ({ channelId, lines: lines.sort(newestFirst) }));
  channels.sort((a, b) => (b.lines[0]?.newest ?? 0) - (a.lines[0]?.newest ?? 0));

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
            <Lines lines={direct} />
          </section>
        )}
        {channels.map(({ channelId, lines }) => {
          const channel = channelById(state, channelId);
          return (
            <section key={channelId} className={classes.section}>
              <h3>
                {channel && <ChannelIcon channel={channel} />}
                <a href={addressIn(state, { page: "messages", narrow: { kind: "channel", channelId } })}>
                  <bdi>{channel?.name ?? t("chat.unknownChannel")}</bdi>
                </a>
              </h3>
              <Lines lines={lines} />
            </section>
          );
        })}
      </div>
    </>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const state = useChatState((value) => value);
  const narrowTitle = useNarrowTitle();
  return (
    <ul className={classes.lines}>
      {lines.map(({ narrow, count }) => (
        <li key={narrowKey(narrow)}>
          <a className={classes.line} href={addressIn(chat.state.value, { page: "messages", narrow })}>
            <span className={classes.name}>
              <bdi>{narrowTitle(state, narrow)}</bdi>
            </span>
            <span className={classes.count}>
              <span aria-hidden="true">{number(count)}</span>
              <VisuallyHidden component="span">{t("chat.unread", { count })}</VisuallyHidden>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
