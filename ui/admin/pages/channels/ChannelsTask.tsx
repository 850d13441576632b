import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChannelGroupSettingName } from "../../../../server/api/queries/permission-settings.ts";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { useChannelPermissions } from "../../../parts/channels/ChannelPermissions.tsx";
import { GroupSettingPicker, type GroupSettingValue } from "../../../parts/settings/GroupSettingPicker.tsx";
import { useOrganization } from "../../admin-context.ts";
import { BulkActionDialog } from "../../parts/BulkActionDialog.tsx";
import type { Channel } from "./channel-kinds.ts";

/** Actions for several channels at once. */
export const CHANNEL_TASKS = ["folder", "permission", "archive", "restore"] as const;
export type ChannelTask = (typeof CHANNEL_TASKS)[number];

/** The channels that the task changes. Archived channels can only be restored. */
export const channelsFor = (task: ChannelTask, channels: readonly Channel[]): readonly Channel[] =>
  channels.filter(({ is_archived }) => is_archived === (task === "restore"));

export interface ChannelsTaskProps {
  task: ChannelTask;
  channels: readonly Channel[];
  /** `isDone`: whether the task ran for all channels, with or without errors. */
  onClose(isDone: boolean): void;
}

const NO_FOLDER = "none";

export function ChannelsTask({ task, channels, onClose }: ChannelsTaskProps) {
  const { t } = useTranslation();
  const client = useClient();
  const folders = useOrganization(({ channel_folders }) => channel_folders);
  const permissions = useChannelPermissions();
  const [folder, setFolder] = useState<string | null>(null);
  const [permission, setPermission] = useState<ChannelGroupSettingName>("can_send_message_group");
  const [first] = channels as readonly [Channel];
  const [value, setValue] = useState<GroupSettingValue>(first[permission]);

  const run = async ([channel]: readonly Channel[]): Promise<unknown> => {
    const { stream_id } = channel as Channel;
    switch (task) {
      case "folder":
        return client.call("PATCH /streams/{stream_id}", {
          stream_id,
          folder_id: folder === NO_FOLDER ? null : Number(folder),
        });
      case "permission":
        return client.call("PATCH /streams/{stream_id}", {
          stream_id,
          [permission]: { new: value },
        } as Input<"PATCH /streams/{stream_id}">);
      case "archive":
        return client.call("DELETE /streams/{stream_id}", { stream_id });
      case "restore":
        return client.call("PATCH /streams/{stream_id}", { stream_id, is_archived: false });
    }
  };

  /** `channels` still has the state before the task. */
  const undo = ({ stream_id, folder_id, ...channel }: Channel): Promise<unknown> => {
    switch (task) {
      case "folder":
        return client.call("PATCH /streams/{stream_id}", { stream_id, folder_id });
      case "permission":
        return client.call("PATCH /streams/{stream_id}", {
          stream_id,
          [permission]: { new: channel[permission] },
        } as Input<"PATCH /streams/{stream_id}">);
      case "archive":
        return client.call("PATCH /streams/{stream_id}", { stream_id, is_archived: false });
      case "restore":
        return client.call("DELETE /streams/{stream_id}", { stream_id });
    }
  };

  const count = channels.length;
  const subscribers = channels.reduce((sum, channel) => sum + channel.subscriber_count, 0);
  return (
    <BulkActionDialog
      title={t(`channels.taskTitles.${task}`, { count })}
      submitLabel={t(`channels.tasks.${task}`)}
      isDestructive={task === "archive"}
      items={channels}
      itemName={({ name }) => name}
      isReady={task !== "folder" || folder !== null}
      run={run}
      undo={undo}
      onClose={onClose}
    >
      {task === "folder" && (
        <Select
          size="md"
          label={t("channels.fields.folder")}
          data={[
            ...(folders ?? [])
              .filter(({ is_archived }) => !is_archived)
              .map(({ id, name }) => ({ value: String(id), label: name })),
            { value: NO_FOLDER, label: t("channels.noFolder") },
          ]}
          value={folder}
          onChange={setFolder}
          data-autofocus
        />
      )}
      {task === "permission" && (
        <>
          <Select
            size="md"
            label={t("channels.tabs.permissions")}
            description={t(`channels.permissions.${permission}.help`)}
            data={permissions.map((name) => ({ value: name, label: t(`channels.permissions.${name}.label`) }))}
            allowDeselect={false}
            value={permission}
            onChange={(picked) => {
              if (picked === null) return;
              setPermission(picked as ChannelGroupSettingName);
              setValue(first[picked as ChannelGroupSettingName]);
            }}
            data-autofocus
          />
          <GroupSettingPicker
            key={permission}
            label={t(`channels.permissions.${permission}.label`)}
            help={t("channels.tasks.permissionHint", { name: first.name })}
            permission={{ of: "stream", name: permission }}
            value={value}
            onChange={setValue}
          />
        </>
      )}
      {task === "archive" && <p>{t("channels.tasks.archiveHint", { count, subscribers })}</p>}
      {task === "restore" && <p>{t("channels.tasks.restoreHint")}</p>}
    </BulkActionDialog>
  );
}
