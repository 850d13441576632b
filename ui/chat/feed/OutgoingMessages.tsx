import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { useChat } from "../chat-context.ts";
import type { Feed } from "../model/feed.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import type { Destination } from "../model/outbox.ts";
import classes from "./OutgoingMessages.module.css";

const narrowOf = (to: Destination): Narrow =>
  "channelId" in to
    ? { kind: "topic", channelId: to.channelId, topic: to.topic }
    : { kind: "direct", userIds: to.userIds };

const isShown = (narrow: Narrow, to: Destination): boolean =>
  narrow.kind === "channel"
    ? "channelId" in to && to.channelId === narrow.channelId
    : narrowKey(narrow) === narrowKey(narrowOf(to));

/** One's own messages that the server does not have yet: shown at once, marked, and never lost in silence. */
export function OutgoingMessages({ feed }: { feed: Feed }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const all = useStore(chat.outbox.store, (value) => value);
  return (
    all
      .filter(({ to }) => isShown(feed.narrow, to))
      // A feed that is opened now may have it before its event is here.
      .filter(({ messageId }) => messageId === undefined || !feed.has(messageId))
      .map(({ localId, content, state, error }) => (
        <div key={localId} className={classes.outgoing} data-state={state}>
          <p className={classes.text} dir="auto">
            {content}
          </p>
          <p className={classes.state} role={state === "failed" ? "alert" : "status"}>
            {t(`chat.outgoing.${state}`)}
            {error && ` ${error}`}
          </p>
          {state === "failed" && (
            <div className={classes.actions}>
              <Button size="xs" variant="light" onClick={() => chat.outbox.retry(localId, chat.queueId)}>
                {t("chat.outgoing.retry")}
              </Button>
              <Button size="xs" variant="default" onClick={() => chat.outbox.discard(localId)}>
                {t("chat.outgoing.discard")}
              </Button>
            </div>
          )}
        </div>
      ))
  );
}
