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

/** Scheduled messages, the next one first. */
export function ScheduledList() {
  const { t } = useTranslation();
  const scheduled = useChatState((state) => state.scheduled_messages ?? NONE);
  const notice = usePageState((state) => state.notice);
  return (
    <SavedList
      title={t("views.scheduled")}
      empty={t("writing.noScheduled")}
      isEmpty={scheduled.length === 0}
      error={notice}
    >
      {scheduled.map((message) => (
        <ScheduledItem key={message.scheduled_message_id} message={message} />
      ))}
    </SavedList>
  );
}

function ScheduledItem({ message }: { message: Scheduled }) {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const attempt = useAttempt();
  const narrow = narrowOf(message);
  const place = useDestinationTitle(narrow);
  const { scheduled_message_id: id, scheduled_delivery_timestamp: at, content, failed } = message;
  const time = dayAndTime(at * 1000);

  const remove = () =>
    chat.client.call("DELETE /scheduled_messages/{scheduled_message_id}", { scheduled_message_id: id });
  const edit = async () => {
    await remove();
    page.update((before) => ({ ...before, insertion: content }));
    go({ page: "messages", narrow });
  };
  const sendNow = async () => {
    await remove();
    const to = destinationOf(narrow, "");
    if (to) chat.outbox.add(to, content, chat.queueId);
    go({ page: "messages", narrow });
  };
  return (
    <SavedItem
      place={place}
      about={t(failed ? "writing.scheduledFailed" : "writing.scheduledFor", { time })}
      isFailed={failed}
      text={content}
      actions={
        <>
          <Button size="xs" variant="light" onClick={() => attempt(sendNow())}>
            {t("writing.sendNow")}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => page.update((before) => ({ ...before, dialog: { kind: "reschedule", scheduledId: id } }))}
          >
            {t("writing.changeTime")}
          </Button>
          <Button size="xs" variant="default" onClick={() => attempt(edit())}>
            {t("writing.edit")}
          </Button>
          <Button size="xs" variant="default" onClick={() => attempt(remove())}>
            {t("writing.delete")}
          </Button>
        </>
      }
    />
  );
}
