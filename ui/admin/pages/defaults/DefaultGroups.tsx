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
import classes from "./DefaultsPage.module.css";

type Group = NonNullable<State["realm_default_stream_groups"]>[number];
type Asked = { what: "create" } | { what: "edit" | "delete"; group: Group };

/** Sets of channels that new members can take together. */
export function DefaultGroups({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const groups = useOrganization((state) => state.realm_default_stream_groups) ?? [];
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const [asked, setAsked] = useState<Asked>();
  const nameOf = (id: number) => channels.find(({ stream_id }) => stream_id === id)?.name ?? "";
  const list = new Intl.ListFormat(undefined, { type: "unit" });
  return (
    <section className={classes.section} aria-labelledby="default-groups">
      <h3 id="default-groups">{t("newMembers.groups.title")}</h3>
      <p className={classes.lead}>{t("newMembers.groups.lead")}</p>
      <ul className={classes.list}>
        {groups.map((group) => {
          const { id, name, description, streams } = group;
          return (
            <li key={id} className={classes.entry}>
              <div className={classes.words}>
                <strong>{name}</strong>
                {description !== "" && <p className={classes.lead}>{description}</p>}
                <p className={classes.lead}>{list.format(streams.map(nameOf))}</p>
              </div>
              {mayChange && (
                <>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={t("newMembers.groups.edit", { name })}
                    onClick={() => setAsked({ what: "edit", group })}
                  >
                    {t("newMembers.groups.editShort")}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={t("newMembers.groups.delete", { name })}
                    onClick={() => setAsked({ what: "delete", group })}
                  >
                    {t("newMembers.groups.deleteShort")}
                  </Button>
                </>
              )}
            </li>
          );
        })}
      </ul>
      {mayChange && (
        <div>
          <Button
            size="sm"
            variant="default"
            leftSection={<Plus size="1rem" aria-hidden="true" />}
            onClick={() => setAsked({ what: "create" })}
          >
            {t("newMembers.groups.create")}
          </Button>
        </div>
      )}
      {(asked?.what === "create" || asked?.what === "edit") && (
        <GroupDialog
          // As it is now: after a refusal, a part of what was sent may hold already.
          group={asked.what === "edit" ? groups.find(({ id }) => id === asked.group.id) : undefined}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={t("newMembers.groups.deleteTitle", { name: asked.group.name })}
          confirmLabel={t("newMembers.groups.delete", { name: asked.group.name })}
          onConfirm={async () => {
            const { id, name } = asked.group;
            await client.call("DELETE /default_stream_groups/{group_id}", { group_id: id });
            noticeDone(t("newMembers.groups.deleted", { name }));
          }}
          onClose={() => setAsked(undefined)}
        >
          {t("newMembers.groups.deleteHint", { count: asked.group.streams.length })}
        </ConfirmDialog>
      )}
    </section>
  );
}

interface GroupDialogProps {
  /** Undefined: a new one. */
  group: Group | undefined;
  onClose(): void;
}

function GroupDialog({ group, onClose }: GroupDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const defaults = useOrganization((state) => state.realm_default_streams) ?? [];
  // Everybody gets default channels anyway, so the server takes none of them into a set.
  const offered = channels
    .filter(({ invite_only, is_archived }) => !invite_only && !is_archived)
    .filter(({ stream_id }) => !defaults.includes(stream_id) || group?.streams.includes(stream_id))
    .sort((a, b) => a.name.localeCompare(b.name));
  const namesOf = (ids: readonly string[]) =>
    ids.flatMap((id) => channels.find(({ stream_id }) => String(stream_id) === id)?.name ?? []);

  const save = async ({
    name,
    description,
    channels: chosen,
  }: {
    name: string;
    description: string;
    channels: string[];
  }) => {
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
