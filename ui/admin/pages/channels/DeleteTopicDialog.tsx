import { Progress } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import type { Channel } from "./channel-kinds.ts";
import type { Topic } from "./topic.ts";

export interface DeleteTopicDialogProps {
  channel: Channel;
  topic: Topic;
  /** What it is called where it has no name of its own. */
  name: string;
  onChanged(): Promise<unknown>;
  onClose(): void;
}

/** Counting reads the messages, so it ends here. */
const MAX_COUNTED = 1000;

/** Asks before a topic is deleted. The server deletes in batches; leaving the dialog stops after the present one. */
export function DeleteTopicDialog({ channel, topic, name, onChanged, onClose }: DeleteTopicDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [total, setTotal] = useState<number>();
  const [left, setLeft] = useState<number>();
  const isOpen = useRef(true);

  const count = async () => {
    const { messages } = await client.call("GET /messages", {
      anchor: "newest",
      num_before: MAX_COUNTED,
      narrow: [
        { operator: "channel", operand: channel.stream_id },
        { operator: "topic", operand: topic.name },
      ],
      apply_markdown: false,
    });
    return messages.length;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: counted once, when the dialog opens
  useEffect(() => {
    isOpen.current = true;
    // Where nothing can be counted, the dialog says no number.
    count().then(setTotal, () => setTotal(undefined));
    return () => {
      isOpen.current = false;
    };
  }, []);

  const deleteAll = async () => {
    try {
      for (;;) {
        const { complete } = await client.call("POST /streams/{stream_id}/delete_topic", {
          stream_id: channel.stream_id,
          topic_name: topic.name,
        });
        if (complete) break;
        if (!isOpen.current) return;
        setLeft(await count());
      }
      noticeDone(t("channels.topics.deleted", { name }));
    } finally {
      await onChanged();
    }
  };

  const isMany = total !== undefined && total >= MAX_COUNTED;
  return (
    <ConfirmDialog
      title={t("channels.topics.deleteTitle", { name })}
      confirmLabel={t("channels.topics.deleteConfirm")}
      {...(isMany && { typedName: name })}
      onConfirm={deleteAll}
      onClose={onClose}
    >
      <p>
        {isMany
          ? t("channels.topics.deleteMany", { count: MAX_COUNTED })
          : total === undefined
            ? t("channels.topics.deleteAll")
            : t("channels.topics.deleteCount", { count: total })}
      </p>
      {left !== undefined && total !== undefined && (
        <>
          <Progress value={(100 * (total - left)) / total} aria-label={t("channels.topics.deleting")} />
          <p role="status">{t("channels.topics.left", { count: left })}</p>
        </>
      )}
    </ConfirmDialog>
  );
}
