import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { dayAndTime } from "../../parts/format.ts";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { type DraftNarrow, destinationOf } from "../model/drafts.ts";
import { useDestinationTitle } from "./destination-title.ts";
import { SavedItem, SavedList } from "./SavedList.tsx";

type Scheduled = NonNullable<State["scheduled_messages"]>[number];
const NONE: readonly Scheduled[] = [];

const narrowOf = ({ to, topic = "" }: Scheduled): DraftNarrow =>
  typeof to === "number"
    ? { kind: "topic", channelId: to, topic }
    : { kind: "direct", userIds: [...to].sort((a, b) => a - b) };

/** Messages that are to be sent later, the next one first. */
export function ScheduledList() {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const attempt = useAttempt();
  const scheduled = useChatState((state) => state.scheduled_messages ?? NONE);
  const notice = usePageState((state) => state.notice);
  const titleOf = useDestinationTitle();

  const remove = ({ scheduled_message_id }: Scheduled) =>
    chat.client.call("DELETE /scheduled_messages/{scheduled_message_id}", { scheduled_message_id });
  const edit = async (message: Scheduled) => {
    const narrow = narrowOf(message);
    await remove(message);
    page.update((before) => ({ ...before, insertion: message.content }));
    go({ page: "messages", narrow });
  };
  const sendNow = async (message: Scheduled) => {
    const narrow = narrowOf(message);
    await remove(message);
    const to = destinationOf(narrow, "");
    if (to) chat.outbox.add(to, message.content, chat.queueId);
    go({ page: "messages", narrow });
  };
  return (
    <SavedList
      title={t("views.scheduled")}
      empty={t("writing.noScheduled")}
      isEmpty={scheduled.length === 0}
      error={notice}
    >
      {scheduled.map((message) => {
        const id = message.scheduled_message_id;
        const time = dayAndTime(message.scheduled_delivery_timestamp * 1000);
        return (
          <SavedItem
            key={id}
            place={titleOf(narrowOf(message))}
            about={t(message.failed ? "writing.scheduledFailed" : "writing.scheduledFor", { time })}
            isFailed={message.failed}
            text={message.content}
            actions={
              <>
                <Button size="xs" variant="light" onClick={() => attempt(sendNow(message))}>
                  {t("writing.sendNow")}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() =>
                    page.update((before) => ({ ...before, dialog: { kind: "reschedule", scheduledId: id } }))
                  }
                >
                  {t("writing.changeTime")}
                </Button>
                <Button size="xs" variant="default" onClick={() => attempt(edit(message))}>
                  {t("writing.edit")}
                </Button>
                <Button size="xs" variant="default" onClick={() => attempt(remove(message))}>
                  {t("writing.delete")}
                </Button>
              </>
            }
          />
        );
      })}
    </SavedList>
  );
}
