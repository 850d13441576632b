import { Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import type { Channel } from "./channel-kinds.ts";
import type { Topic } from "./use-topics.ts";

export interface DeleteTopicDialogProps {
  channel: Channel;
  topic: Topic;
  /** The shown name, also for the topic without a name. */
  name: string;
  onChanged(): Promise<unknown>;
  onClose(): void;
}

/** Counting loads the messages, so it needs a limit. */
const MAX_COUNTED = 1000;

/** Confirms and deletes a topic. The server deletes in batches, and closing the dialog stops after the current one. */
export function DeleteTopicDialog({ channel, topic, name, onChanged, onClose }: DeleteTopicDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [left, setLeft] = useState<number>();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const count = async (signal?: AbortSignal) => {
    const { messages } = await client.call(
      "GET /messages",
      {
        anchor: "newest",
        num_before: MAX_COUNTED,
        narrow: [
          { operator: "channel", operand: channel.stream_id },
          { operator: "topic", operand: topic.name },
        ],
        apply_markdown: false,
      },
      signal,
    );
    return messages.length;
  };
  // Without a count, the dialog shows no number.
  const { data: total } = useQuery({
    queryKey: ["messages in topic", channel.stream_id, topic.name],
    queryFn: ({ signal }) => count(signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

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
