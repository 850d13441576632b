import { Checkbox, Radio, Select, Stack, TextInput } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { PeoplePicker } from "../../../parts/pickers.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { type Channel, isPrivate, isWebPossible, KINDS, type Kind } from "./channel-kinds.ts";

export interface CreateChannelDialogProps {
  channels: readonly Channel[];
  onClose(): void;
  onCreated?(id: number): void;
}

type Members = "everyone" | "chosen" | "me";
const MEMBERS: readonly Members[] = ["everyone", "chosen", "me"];

interface Values extends Record<string, unknown> {
  name: string;
  description: string;
  kind: Kind;
  folder: string;
  members: Members;
  people: number[];
  isDefault: boolean;
}

const NO_FOLDER = "none";

/** The preselected members: a private channel adds no one without a choice. */
const usualMembers = (kind: Kind): Members => (isPrivate(kind) ? "chosen" : "everyone");

export function CreateChannelDialog({ channels, onClose, onCreated }: CreateChannelDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const self = useOrganization(({ user_id }) => user_id ?? 0);
  const users = useOrganization(({ realm_users }) => realm_users);
  const folders = useOrganization(({ channel_folders }) => channel_folders);
  const isAdministrator = useOrganization(({ is_admin }) => is_admin === true);
  const mayCreatePublic = useOrganization((state) => state.can_create_public_streams === true);
  const mayCreatePrivate = useOrganization((state) => state.can_create_private_streams === true);
  const isWebOffered = useOrganization(isWebPossible);
  const everyone = (users ?? []).filter(({ is_bot, is_guest }) => !is_bot && !is_guest).map(({ user_id }) => user_id);
  const kinds = KINDS.filter((kind) =>
    kind === "web" ? isWebOffered : isPrivate(kind) ? mayCreatePrivate : mayCreatePublic,
  );
  const placed = (folders ?? []).filter(({ is_archived }) => !is_archived);

  const hasChosenMembers = useRef(false);
  const firstKind = kinds[0] ?? "public";

  const create = async (values: Values) => {
    const { name, description, kind, folder, members, people, isDefault } = values;
    const principals = members === "everyone" ? everyone : members === "chosen" ? people : [self];
    await client.call("POST /users/me/subscriptions", {
      subscriptions: [{ name: name.trim(), description: description.trim() }],
      principals,
      invite_only: isPrivate(kind),
      is_web_public: kind === "web",
      history_public_to_subscribers: kind !== "protected",
      is_default_stream: isDefault && !isPrivate(kind),
      announce: true,
      ...(folder !== NO_FOLDER && { folder_id: Number(folder) }),
    });
    noticeDone(t("channels.create.done", { name: name.trim(), count: principals.length }));
    if (!onCreated) return;
    const { stream_id } = await client.call("GET /get_stream_id", { stream: name.trim() });
    onCreated(stream_id);
  };

  return (
    <FormDialog<Values>
      title={t("channels.create.title")}
      submitLabel={t("channels.create.submit")}
      initialValues={{
        name: "",
        description: "",
        kind: firstKind,
        folder: NO_FOLDER,
        members: usualMembers(firstKind),
        people: [self],
        isDefault: false,
      }}
      validate={{
        name: (name: string) => {
          if (name.trim() === "") return t("errors.missing.name");
          // The server would subscribe people to the existing channel instead.
          const taken = channels.find((channel) => channel.name.toLowerCase() === name.trim().toLowerCase());
          return taken && t(taken.is_archived ? "channels.create.takenArchived" : "channels.create.taken");
        },
        people: (people: number[], { members }) =>
          members === "chosen" && people.length === 0 ? t("channels.create.nobody") : null,
      }}
      onSubmit={create}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t("channels.fields.name")}
            description={t("channels.create.nameHint")}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("name")}
          />
          <TextInput
            label={t("channels.fields.description")}
            placeholder={t("channels.create.optional")}
            autoComplete="off"
            {...form.getInputProps("description")}
          />
          <Select
            label={t("channels.fields.kind")}
            description={t(`channels.kindHints.${form.values.kind}`)}
            data={kinds.map((kind) => ({ value: kind, label: t(`channels.kinds.${kind}`) }))}
            allowDeselect={false}
            {...form.getInputProps("kind")}
            onChange={(kind) => {
              form.setFieldValue("kind", kind as Kind);
              if (!hasChosenMembers.current) form.setFieldValue("members", usualMembers(kind as Kind));
            }}
          />
          {placed.length > 0 && (
            <Select
              label={t("channels.fields.folder")}
              data={[
                { value: NO_FOLDER, label: t("channels.noFolder") },
                ...placed.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              allowDeselect={false}
              {...form.getInputProps("folder")}
            />
          )}
          <Radio.Group
            label={t("channels.create.who")}
            size="md"
            {...form.getInputProps("members")}
            onChange={(members) => {
              hasChosenMembers.current = true;
              form.setFieldValue("members", members as Members);
            }}
          >
            <Stack gap="xs" mt="xs">
              {MEMBERS.map((members) => (
                <Radio
                  key={members}
                  value={members}
                  label={t(`channels.create.members.${members}`, { total: everyone.length })}
                />
              ))}
            </Stack>
          </Radio.Group>
          {form.values.members === "chosen" && (
            <PeoplePicker
              bots
              groups
              label={t("channels.create.people")}
              value={form.values.people}
              onChange={(people) => form.setFieldValue("people", people)}
              error={form.errors["people"]}
            />
          )}
          {isAdministrator && !isPrivate(form.values.kind) && (
            <Checkbox label={t("channels.fields.default")} {...form.getInputProps("isDefault", { type: "checkbox" })} />
          )}
        </>
      )}
    </FormDialog>
  );
}
