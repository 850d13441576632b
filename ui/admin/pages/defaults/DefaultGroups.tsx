import { Button, MultiSelect, Textarea, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { EntryList } from "../../parts/EntryList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";

type Group = NonNullable<State["realm_default_stream_groups"]>[number];
type OpenDialog = { kind: "create" } | { kind: "edit" | "delete"; group: Group };

/** Sets of channels that new members can join together. */
export function DefaultGroups({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const groups = useOrganization((state) => state.realm_default_stream_groups) ?? [];
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const [dialog, setDialog] = useState<OpenDialog>();
  const nameOf = (id: number) => channels.find(({ stream_id }) => stream_id === id)?.name ?? "";
  const list = new Intl.ListFormat(undefined, { type: "unit" });
  return (
    <PageSection title={t("newMembers.groups.title")} description={t("newMembers.groups.lead")}>
      <EntryList
        label={t("newMembers.groups.title")}
        entries={groups.map((group) => {
          const { id, name, description, streams } = group;
          return {
            id,
            name,
            content: (
              <>
                <strong>{name}</strong>
                {description !== "" && <p>{description}</p>}
                <p>{list.format(streams.map(nameOf))}</p>
              </>
            ),
            tools: mayChange && (
              <>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={t("newMembers.groups.edit", { name })}
                  onClick={() => setDialog({ kind: "edit", group })}
                >
                  {t("newMembers.groups.editShort")}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={t("newMembers.groups.delete", { name })}
                  onClick={() => setDialog({ kind: "delete", group })}
                >
                  {t("newMembers.groups.deleteShort")}
                </Button>
              </>
            ),
          };
        })}
      />
      {mayChange && (
        <div>
          <Button
            size="sm"
            variant="default"
            leftSection={<Plus size="1rem" aria-hidden="true" />}
            onClick={() => setDialog({ kind: "create" })}
          >
            {t("newMembers.groups.create")}
          </Button>
        </div>
      )}
      {(dialog?.kind === "create" || dialog?.kind === "edit") && (
        <GroupDialog
          // The current group: a rejected save can have changed a part of it.
          group={dialog.kind === "edit" ? groups.find(({ id }) => id === dialog.group.id) : undefined}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog?.kind === "delete" && (
        <ConfirmDialog
          title={t("newMembers.groups.deleteTitle", { name: dialog.group.name })}
          confirmLabel={t("newMembers.groups.delete", { name: dialog.group.name })}
          onConfirm={async () => {
            const { id, name } = dialog.group;
            await client.call("DELETE /default_stream_groups/{group_id}", { group_id: id });
            noticeDone(t("newMembers.groups.deleted", { name }));
          }}
          onClose={() => setDialog(undefined)}
        >
          {t("newMembers.groups.deleteHint", { count: dialog.group.streams.length })}
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

interface GroupDialogProps {
  /** Undefined for a new group. */
  group: Group | undefined;
  onClose(): void;
}

function GroupDialog({ group, onClose }: GroupDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const defaults = useOrganization((state) => state.realm_default_streams) ?? [];
  // The server rejects default channels, because everyone gets them anyway.
  const offered = channels
    .filter(({ invite_only, is_archived }) => !invite_only && !is_archived)
    .filter(({ stream_id }) => !defaults.includes(stream_id) || group?.streams.includes(stream_id))
    .sort((a, b) => a.name.localeCompare(b.name));
  const namesOf = (ids: readonly string[]) =>
    ids.flatMap((id) => channels.find(({ stream_id }) => String(stream_id) === id)?.name ?? []);

  interface Values {
    name: string;
    description: string;
    channels: string[];
  }
  const save = async ({ name, description, channels: chosen }: Values) => {
    if (!group) {
      const stream_names = namesOf(chosen);
      await client.call("POST /default_stream_groups/create", { group_name: name, description, stream_names });
      noticeDone(t("newMembers.groups.created", { name }));
      return;
    }
    const before = group.streams.map(String);
    const change = async (op: "add" | "remove", ids: string[]) => {
      if (ids.length === 0) return;
      const input = { group_id: group.id, op, stream_names: namesOf(ids) };
      await client.call("PATCH /default_stream_groups/{group_id}/streams", input);
    };
    if (name !== group.name || description !== group.description)
      await client.call("PATCH /default_stream_groups/{group_id}", {
        group_id: group.id,
        ...(name !== group.name && { new_group_name: name }),
        ...(description !== group.description && { new_description: description }),
      });
    await change(
      "add",
      chosen.filter((id) => !before.includes(id)),
    );
    await change(
      "remove",
      before.filter((id) => !chosen.includes(id)),
    );
    noticeDone(t("newMembers.groups.saved", { name }));
  };

  return (
    <FormDialog
      title={group ? t("newMembers.groups.editTitle", { name: group.name }) : t("newMembers.groups.create")}
      submitLabel={t(group ? "channels.save" : "channels.create.submit")}
      initialValues={{
        name: group?.name ?? "",
        description: group?.description ?? "",
        channels: group?.streams.map(String) ?? [],
      }}
      validate={{ name: (name) => (name.trim() === "" ? t("newMembers.groups.nameMissing") : null) }}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t("newMembers.groups.name")}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("name")}
          />
          <Textarea
            label={t("newMembers.groups.fieldDescription")}
            autosize
            minRows={2}
            {...form.getInputProps("description")}
          />
          <MultiSelect
            label={t("newMembers.groups.fieldChannels")}
            data={offered.map(({ stream_id, name }) => ({ value: String(stream_id), label: name }))}
            searchable
            hidePickedOptions
            {...form.getInputProps("channels")}
          />
        </>
      )}
    </FormDialog>
  );
}
