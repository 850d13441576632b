import { useTranslation } from "react-i18next";
import { useClient } from "../../api/client-context.ts";
import type { Channel } from "../../api/state-shape.ts";
import { useOrganization } from "../settings/organization-context.ts";
import { ChoiceSetting } from "../settings/settings.tsx";

const NO_FOLDER = 0;

export function FolderSetting({ channel, disabled }: { channel: Channel; disabled: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const folders = useOrganization(({ channel_folders }) => channel_folders) ?? [];
  const { stream_id, folder_id } = channel;
  const offered = folders.filter(({ id, is_archived }) => !is_archived || id === folder_id);
  return (
    <ChoiceSetting
      label={t("channels.fields.folder")}
      value={folder_id ?? NO_FOLDER}
      disabled={disabled}
      choices={[
        { value: NO_FOLDER, label: t("channels.noFolder") },
        ...offered.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      save={(id) => client.call("PATCH /streams/{stream_id}", { stream_id, folder_id: id === NO_FOLDER ? null : id })}
    />
  );
}
