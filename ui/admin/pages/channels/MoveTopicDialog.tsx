import { Checkbox, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { moveWithUndo } from "../../../parts/move-with-undo.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import type { Channel } from "./channel-kinds.ts";
import type { Topic } from "./use-topics.ts";

export interface MoveTopicDialogProps {
  channel: Channel;
  topic: Topic;
  onMoved(): Promise<unknown>;
  onClose(): void;
}

/** Renames a topic, moves it to another channel, or both. */
export function MoveTopicDialog({ channel, topic, onMoved, onClose }: MoveTopicDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const offered = channels
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ stream_id, name }) => ({ value: String(stream_id), label: name }));
  return (
    <FormDialog
      title={t("channels.topics.moveTitle")}
      submitLabel={t("channels.save")}
      initialValues={{ topic: topic.name, stream_id: String(channel.stream_id), notifies: true }}
      onSubmit={async ({ topic: name, stream_id, notifies }) => {
        const from = { channelId: channel.stream_id, topic: topic.name };
        const to = { channelId: Number(stream_id), topic: name };
        if (to.channelId === from.channelId && to.topic === from.topic) return;
        const undo = await moveWithUndo(client, { messageId: topic.max_id, mode: "change_all", from, to, notifies });
        await onMoved();
        noticeDone(t("channels.topics.moved"), undo && (() => undo().then(onMoved)));
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t("channels.topics.name")}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("topic")}
          />
          <Select
            label={t("channels.channel")}
            data={offered}
            searchable
            allowDeselect={false}
            {...form.getInputProps("stream_id")}
          />
          <Checkbox label={t("channels.topics.notify")} {...form.getInputProps("notifies", { type: "checkbox" })} />
        </>
      )}
    </FormDialog>
  );
}
