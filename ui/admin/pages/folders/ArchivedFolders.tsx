import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useWrite } from "../../use-write.ts";
import classes from "./FoldersPage.module.css";
import type { Folder } from "./moves.ts";

export function ArchivedFolders({ folders, mayManage }: { folders: readonly Folder[]; mayManage: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const restore = ({ id, name }: Folder) =>
    write({
      run: () =>
        client.call("PATCH /channel_folders/{channel_folder_id}", { channel_folder_id: id, is_archived: false }),
      done: t("folders.restored", { name }),
    });
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
                onClick={() => restore(folder)}
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
