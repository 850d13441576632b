import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";

export interface DeleteTopicProps {
  channelId: number;
  topic: string;
  onClose(): void;
}

/** Deletes a topic with all its messages. Each request deletes a limited number, so a long topic needs several. */
export function DeleteTopic({ channelId, topic, onClose }: DeleteTopicProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const [rounds, setRounds] = useState<number>();
  const [error, setError] = useState<string>();
  const name = topic === "" ? t("chat.generalTopic") : topic;

  const run = async () => {
    setError(undefined);
    try {
      for (let round = 1; ; round += 1) {
        setRounds(round);
        const input = { stream_id: channelId, topic_name: topic };
        const { complete } = await chat.client.call("POST /streams/{stream_id}/delete_topic", input);
        if (complete) break;
      }
      go({ page: "messages", narrow: { kind: "channel", channelId } });
    } catch (caught) {
      setError(errorMessage(caught));
      setRounds(undefined);
    }
  };
  return (
    <Dialog title={t("topics.deleteTitle", { topic: name })} onClose={onClose}>
      <p>{t("topics.deleteHint")}</p>
      {rounds !== undefined && rounds > 1 && <p role="status">{t("topics.deleting")}</p>}
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <Group gap="sm" mt="md" justify="end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("chat.cancel")}
        </Button>
        <BusyButton color="red" busy={rounds !== undefined} onClick={() => void run()}>
          {t("topics.deleteNamed", { topic: name })}
        </BusyButton>
      </Group>
    </Dialog>
  );
}
