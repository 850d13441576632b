import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { inWords } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import { isWritten } from "../model/drafts.ts";
import type { Feed } from "../model/feed.ts";
import { narrowKey } from "../model/narrow.ts";
import { isFor } from "../model/outbox.ts";
import classes from "./OutgoingMessages.module.css";
import { COMPOSER_ID } from "./use-quote.ts";

/** One's own messages that the server does not have yet: shown at once, marked, and never lost in silence. */
export function OutgoingMessages({ feed }: { feed: Feed }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const { narrow } = feed;
  /** Takes the text back to where one writes, before what is there. */
  const rewrite = (localId: string, content: string) => {
    if (!isWritten(narrow)) return;
    const { text = "" } = chat.drafts.store.value.get(narrowKey(narrow)) ?? {};
    chat.outbox.discard(localId);
    chat.drafts.set(narrow, { text: text === "" ? content : `${content}\n${text}` });
    document.getElementById(COMPOSER_ID)?.focus();
  };
  const all = useStore(chat.outbox.store, (value) => value);
  return (
    all
      .filter(({ to }) => isFor(feed.narrow, to))
      // A feed that is opened now may have it before its event is here.
      .filter(({ messageId }) => messageId === undefined || !feed.has(messageId))
      .map(({ localId, content, state, error, errorAbout }) => (
        <div key={localId} className={classes.outgoing} data-state={state}>
          <p className={classes.text} dir="auto">
            {content}
          </p>
          <p className={classes.state} role={state === "failed" ? "alert" : "status"}>
            {t(`chat.outgoing.${state}`)}
            {error && ` ${inWords(error, errorAbout)}`}
          </p>
          {state === "failed" && (
            <div className={classes.actions}>
              <Button size="xs" variant="light" onClick={() => chat.outbox.retry(localId, chat.queueId)}>
                {t("chat.outgoing.retry")}
              </Button>
              <Button size="xs" variant="default" onClick={() => rewrite(localId, content)}>
                {t("chat.outgoing.edit")}
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
