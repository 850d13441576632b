import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { dayAndTime } from "../../parts/format.ts";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { conversationOf } from "../model/feed-state.ts";
import { SavedItem, SavedList } from "./SavedList.tsx";

type Reminder = NonNullable<State["reminders"]>[number];
const NONE: readonly Reminder[] = [];

/** Pending reminders, the next one first. */
export function ReminderList() {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const attempt = useAttempt();
  const reminders = useChatState((state) => state.reminders ?? NONE);
  const notice = usePageState((state) => state.notice);
  const open = async (id: number) => {
    const input = { message_id: id, allow_empty_topic_name: true };
    const { message } = await chat.client.call("GET /messages/{message_id}", input);
    go({ page: "messages", narrow: conversationOf(message, chat.userId), near: id });
  };
  return (
    <SavedList
      title={t("views.reminders")}
      empty={t("writing.noReminders")}
      isEmpty={reminders.length === 0}
      error={notice}
    >
      {reminders.map(
        ({ reminder_id, scheduled_delivery_timestamp, failed, content, reminder_target_message_id: id }) => (
          <SavedItem
            key={reminder_id}
            place={t("writing.remindedAt", { time: dayAndTime(scheduled_delivery_timestamp * 1000) })}
            about={failed ? t("writing.scheduledFailed") : ""}
            isFailed={failed}
            text={content}
            actions={
              <>
                <Button size="xs" variant="light" onClick={() => attempt(open(id))}>
                  {t("writing.open")}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => attempt(chat.client.call("DELETE /reminders/{reminder_id}", { reminder_id }))}
                >
                  {t("writing.delete")}
                </Button>
              </>
            }
          />
        ),
      )}
    </SavedList>
  );
}
