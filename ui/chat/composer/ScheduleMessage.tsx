import { useTranslation } from "react-i18next";
import { dayAndTime } from "../../parts/format.ts";
import { useChat } from "../chat-context.ts";
import { type DraftNarrow, destinationOf } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";
import { ChooseTime } from "./ChooseTime.tsx";

const seconds = (at: number): number => Math.floor(at / 1000);

/** Chooses when the draft of a conversation is sent. */
export function ScheduleDraft({ narrow, onClose }: { narrow: DraftNarrow; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const schedule = async (at: number) => {
    const { text = "", topic = "" } = chat.drafts.store.value.get(narrowKey(narrow)) ?? {};
    const to = destinationOf(narrow, topic);
    if (!to || text.trim() === "") return onClose();
    const target =
      "channelId" in to
        ? { type: "stream" as const, to: to.channelId, topic: to.topic }
        : { type: "direct" as const, to: [...to.userIds] };
    await chat.client.call("POST /scheduled_messages", {
      ...target,
      content: text.trim(),
      scheduled_delivery_timestamp: seconds(at),
    });
    chat.drafts.set(narrow, { text: "", topic: "" });
    const notice = t("writing.scheduled", { time: dayAndTime(at) });
    page.update((before) => ({ ...before, dialog: undefined, notice }));
  };
  return (
    <ChooseTime
      title={t("writing.sendLaterTitle")}
      submit={t("writing.schedule")}
      onChoose={schedule}
      onClose={onClose}
    />
  );
}

/** Chooses another time for a scheduled message. */
export function Reschedule({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const change = async (at: number) => {
    await chat.client.call("PATCH /scheduled_messages/{scheduled_message_id}", {
      scheduled_message_id: id,
      scheduled_delivery_timestamp: seconds(at),
    });
    onClose();
  };
  return (
    <ChooseTime
      title={t("writing.sendLaterTitle")}
      submit={t("writing.schedule")}
      onChoose={change}
      onClose={onClose}
    />
  );
}
