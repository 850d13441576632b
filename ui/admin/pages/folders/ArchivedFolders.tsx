import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import classes from "./FoldersPage.module.css";
import type { Folder } from "./folder.ts";

export function ArchivedFolders({ folders, mayManage }: { folders: readonly Folder[]; mayManage: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const restore = async ({ id, name }: Folder) => {
    try {
      await client.call("PATCH /channel_folders/{channel_folder_id}", { channel_folder_id: id, is_archived: false });
      noticeDone(t("folders.restored", { name }));
    } catch (error) {
      noticeError(error);
    }
  };
  return (
    <section className={classes.folder} aria-label={t("folders.archivedFolders")}>
      <header className={classes.head}>
        <h3 className={classes.name}>{t("folders.archivedFolders")}</h3>
      </header>
      <ul className={classes.channels}>
        {folders.map((folder) => (
          <li key={folder.id} className={classes.channel}>
            <bdi className={classes.channelName}>{folder.name}</bdi>
            {mayManage && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t("folders.restore", { name: folder.name })}
                onClick={() => void restore(folder)}
              >
                {t("folders.restoreShort")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
