import { Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import type { Folder } from "./moves.ts";

/** Edits a folder, or creates one. */
export function FolderDialog({ folder, onClose }: { folder?: Folder; onClose(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  return (
    <FormDialog
      title={folder ? t("folders.editTitle", { name: folder.name }) : t("folders.create")}
      submitLabel={folder ? t("channels.save") : t("channels.create.submit")}
      initialValues={{ name: folder?.name ?? "", description: folder?.description ?? "" }}
      validate={{ name: (name) => (name.trim() === "" ? t("folders.missing") : null) }}
      onSubmit={async (values) => {
        const input = { name: values.name.trim(), description: values.description.trim() };
        if (folder)
          await client.call("PATCH /channel_folders/{channel_folder_id}", { channel_folder_id: folder.id, ...input });
        else await client.call("POST /channel_folders/create", input);
        noticeDone(t(folder ? "folders.saved" : "folders.created", { name: input.name }));
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t("channels.fields.name")}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("name")}
          />
          <Textarea
            label={t("channels.fields.description")}
            description={t("folders.descriptionHint")}
            autosize
            minRows={2}
            {...form.getInputProps("description")}
          />
        </>
      )}
    </FormDialog>
  );
}
