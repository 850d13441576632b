import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useChat } from "../chat-context.ts";
import { ChooseTime } from "../composer/ChooseTime.tsx";

/** Asks when the server sends a reminder of a message. */
export function RemindMe({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const [note, setNote] = useState("");
  const remind = async (at: number) => {
    const input = { message_id: messageId, scheduled_delivery_timestamp: Math.floor(at / 1000), note };
    await chat.client.call("POST /reminders", input);
    page.update((before) => ({ ...before, dialog: undefined, notice: t("messageMenu.reminded") }));
  };
  return (
    <ChooseTime title={t("messageMenu.remindTitle")} submit={t("writing.remind")} onChoose={remind} onClose={onClose}>
      <Textarea
        label={t("messageMenu.remindNote")}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        autosize
        maxRows={5}
      />
    </ChooseTime>
  );
}
