import { Button } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { problemInWords } from "../../locales/i18n.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { COMPOSER_ID } from "../composer/field-ids.ts";
import { isWritten } from "../model/drafts.ts";
import type { Feed } from "../model/feed.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { isConversation, narrowKey } from "../model/narrow.ts";
import { conversationAt, isFor, type Outgoing } from "../model/outbox.ts";
import { personById } from "../model/selectors.ts";
import { DayLine, RecipientBar } from "./FeedHeadings.tsx";
import classes from "./MessageView.module.css";
import { belongTogether, type Sent } from "./runs.ts";

export interface OutgoingMessagesProps {
  feed: Feed;
  /** The newest message of the feed. */
  after: Message | undefined;
}

/**
 * The user's unsent messages. They have the layout of sent messages, so that nothing moves when the server has them.
 */
export function OutgoingMessages({ feed, after }: OutgoingMessagesProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const self = useChatState((state) => personById(state, chat.userId));
  const { narrow } = feed;
  /** Moves the text back to the composer, before its current text. */
  const rewrite = (localId: string, content: string) => {
    if (!isWritten(narrow)) return;
    const { text = "" } = chat.drafts.store.value.get(narrowKey(narrow)) ?? {};
    chat.outbox.discard(localId);
    chat.drafts.set(narrow, { text: text === "" ? content : `${content}\n${text}` });
    document.getElementById(COMPOSER_ID)?.focus();
  };
  const all = useStore(chat.outbox.store, (value) => value);
  const shown = all
    .filter(({ to }) => isFor(narrow, to))
    // A feed can load a sent message before its event arrives.
    .filter(({ messageId }) => messageId === undefined || !feed.has(messageId));
  return shown.map((outgoing, index) => {
    const { localId, to, content, at, state, problem } = outgoing;
    const previous = shown[index - 1];
    const sent = asSent(outgoing, chat.userId);
    const before = previous ? asSent(previous, chat.userId) : after;
    const conversationBefore = previous ? conversationAt(previous.to) : after && conversationOf(after, chat.userId);
    const startsDay = !before || dayOf(before) !== dayOf(sent);
    const isElsewhere =
      conversationBefore === undefined || narrowKey(conversationBefore) !== narrowKey(conversationAt(to));
    const hasHeading = !isConversation(narrow) && (startsDay || isElsewhere);
    const isTogether = before !== undefined && !startsDay && !hasHeading && belongTogether(before, sent);
    return (
      <Fragment key={localId}>
        {startsDay && <DayLine at={at} />}
        {hasHeading && <RecipientBar narrow={conversationAt(to)} messageId={undefined} />}
        <div className={classes.outgoing} data-state={state} data-together={isTogether}>
          {!isTogether && <img className={classes.avatar} src={self?.avatar_url} alt="" width={36} height={36} />}
          <div className={classes.outgoingBody}>
            {!isTogether && (
              <p className={classes.outgoingName}>
                <bdi>{self?.full_name}</bdi>
              </p>
            )}
            <p className={classes.outgoingText} dir="auto">
              {content}
            </p>
            <p className={classes.outgoingState} role={state === "failed" ? "alert" : "status"}>
              {t(`chat.outgoing.${state}`)}
              {problem && ` ${problemInWords(problem)}`}
            </p>
            {state === "failed" && (
              <div className={classes.outgoingActions}>
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
        </div>
      </Fragment>
    );
  });
}

const asSent = ({ at, content }: Outgoing, self: number): Sent => ({
  sender_id: self,
  timestamp: Math.floor(at / 1000),
  is_me_message: content.startsWith("/me "),
});

const dayOf = ({ timestamp }: Sent): string => new Date(timestamp * 1000).toDateString();
