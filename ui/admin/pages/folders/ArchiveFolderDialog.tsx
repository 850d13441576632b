import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import type { Channel } from "../channels/channel-kinds.ts";
import type { Folder } from "./moves.ts";

export interface ArchiveFolderDialogProps {
  folder: Folder;
  /** All channels in the folder, also archived ones. */
  channels: readonly Channel[];
  onClose(): void;
}

/** The server archives only empty folders, so this removes the channels first. */
export function ArchiveFolderDialog({ folder, channels, onClose }: ArchiveFolderDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  return (
    <ConfirmDialog
      title={t("folders.archiveTitle", { name: folder.name })}
      confirmLabel={t("folders.archiveConfirm", { name: folder.name })}
      onConfirm={async () => {
        for (const { stream_id } of channels)
          await client.call("PATCH /streams/{stream_id}", { stream_id, folder_id: null });
        await client.call("PATCH /channel_folders/{channel_folder_id}", {
          channel_folder_id: folder.id,
          is_archived: true,
        });
        noticeDone(t("folders.archivedDone", { name: folder.name }));
      }}
      onClose={onClose}
    >
      {channels.length > 0 ? t("folders.archiveCount", { count: channels.length }) : t("folders.archiveEmpty")}
    </ConfirmDialog>
  );
}
