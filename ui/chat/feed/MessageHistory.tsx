import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../api/client.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { exactTime } from "../../parts/format.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { channelById, personById } from "../model/selectors.ts";
import { MessageContent } from "./MessageContent.tsx";
import classes from "./MessageDialogs.module.css";

type Snapshot = Answer<"GET /messages/{message_id}/history">["message_history"][number];

/** The versions of a message after each edit and move, newest first. */
export function MessageHistory({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const input = { message_id: messageId, allow_empty_topic_name: true };
  const { data, error } = useQuery({
    queryKey: ["GET /messages/{message_id}/history", input],
    queryFn: ({ signal }) => chat.client.call("GET /messages/{message_id}/history", input, signal),
    staleTime: 0,
  });
  return (
    <Dialog title={t("messageMenu.history")} onClose={onClose}>
      {error && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      <ol className={classes.history} aria-busy={!data && !error}>
        {data?.message_history.toReversed().map((snapshot) => (
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
    <li>
      <Text size="xs" c="var(--hearth-ink-soft)" mb="0.25rem">
        <bdi>{name}</bdi>,{" "}
        <time dateTime={new Date(timestamp * 1000).toISOString()}>{exactTime(timestamp * 1000)}</time>
      </Text>
      {prev_stream !== undefined && <p>{t("messageMenu.movedTo", { place: channelName })}</p>}
      {prev_topic !== undefined && <p>{t("messageMenu.movedTo", { place: topicName })}</p>}
      <MessageContent html={content_html_diff ?? rendered_content} />
    </li>
  );
}
