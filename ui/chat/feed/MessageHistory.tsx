import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../api/client.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { exactTime } from "../../parts/format.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { channelById, personById } from "../model/selectors.ts";
import { MessageContent } from "./MessageContent.tsx";
import classes from "./MessageHistory.module.css";

type Snapshot = Answer<"GET /messages/{message_id}/history">["message_history"][number];

/** How a message was at first and after each edit and move, the newest first. */
export function MessageHistory({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [history, setHistory] = useState<readonly Snapshot[]>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    const input = { message_id: messageId, allow_empty_topic_name: true };
    chat.client.call("GET /messages/{message_id}/history", input).then(
      ({ message_history }) => setHistory(message_history.toReversed()),
      (caught) => setError(errorMessage(caught)),
    );
  }, [chat, messageId]);
  return (
    <Dialog title={t("messageMenu.history")} onClose={onClose}>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <ol className={classes.list} aria-busy={!history && !error}>
        {history?.map((snapshot) => (
          <Entry key={`${snapshot.timestamp} ${snapshot.content.length} ${snapshot.topic}`} snapshot={snapshot} />
        ))}
      </ol>
    </Dialog>
  );
}

function Entry({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useTranslation();
  const { user_id, timestamp, prev_topic, topic, prev_stream, stream, content_html_diff, rendered_content } = snapshot;
  const name = useChatState((state) =>
    user_id === null ? t("chat.unknownPerson") : (personById(state, user_id)?.full_name ?? t("chat.unknownPerson")),
  );
  const channelName = useChatState((state) => (stream === undefined ? "" : (channelById(state, stream)?.name ?? "")));
  const topicName = topic === "" ? t("chat.generalTopic") : topic;
  return (
    <li className={classes.entry}>
      <p className={classes.by}>
        <bdi>{name}</bdi>,{" "}
        <time dateTime={new Date(timestamp * 1000).toISOString()}>{exactTime(timestamp * 1000)}</time>
      </p>
      {prev_stream !== undefined && <p>{t("messageMenu.movedTo", { place: channelName })}</p>}
      {prev_topic !== undefined && <p>{t("messageMenu.movedTo", { place: topicName })}</p>}
      <MessageContent html={content_html_diff ?? rendered_content} />
    </li>
  );
}
