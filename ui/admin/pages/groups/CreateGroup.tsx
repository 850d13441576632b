import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { GroupPicker, PeoplePicker } from "../../../parts/pickers.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";

export interface CreateGroupProps {
  onClose(): void;
  onCreated(id: number): void;
}

interface Values extends Record<string, unknown> {
  name: string;
  description: string;
  members: number[];
  subgroups: number[];
}

export function CreateGroup({ onClose, onCreated }: CreateGroupProps) {
  const { t } = useTranslation();
  const client = useClient();
  return (
    <FormDialog<Values>
      title={t("groups.create")}
      submitLabel={t("groups.create")}
      initialValues={{ name: "", description: "", members: [], subgroups: [] }}
      validate={{ name: (name) => (name.trim() === "" ? t("groups.missingName") : null) }}
      onSubmit={async (values) => {
        const { group_id } = await client.call("POST /user_groups/create", values);
        noticeDone(t("groups.created", { name: values.name.trim() }));
        onCreated(group_id);
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput label={t("groups.name")} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
          <TextInput label={t("groups.description")} autoComplete="off" {...form.getInputProps("description")} />
          <PeoplePicker bots label={t("groups.members")} {...form.getInputProps("members")} />
          <GroupPicker
            roles
            label={t("groups.subgroups")}
            description={t("groups.subgroupsHint")}
            {...form.getInputProps("subgroups")}
          />
        </>
      )}
    </FormDialog>
  );
}
