import { Anchor, Group, Select, TextInput } from "@mantine/core";
import { Bot, type LucideIcon, Send, Webhook } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Dialog } from "../../../parts/Dialog.tsx";
import { FormDialog, type FormOf } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import classes from "../../parts/choices.module.css";
import { PictureButton } from "../../parts/PictureButton.tsx";
import { RowPicture } from "../../parts/RowPicture.tsx";
import { WebhookReachLink } from "../../parts/WebhookReachLink.tsx";
import { allowedKinds, BOT_KINDS, type BotKind } from "./allowed-kinds.ts";
import { botType, INTERFACES } from "./bots.ts";
import { useOwners } from "./use-owners.ts";

export interface CreateBotProps {
  /** If undefined, the user chooses. */
  kind?: BotKind;
  /** The service of an incoming webhook. */
  integration?: string;
  onCreated(id: number): void;
  onClose(): void;
}

const ICONS: Record<BotKind, LucideIcon> = { generic: Bot, incoming: Webhook, outgoing: Send };

/** Creates a bot in two steps: its kind, then its name and settings. */
export function CreateBot({ kind: given, ...props }: CreateBotProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(given);
  const allowed = useOrganization((state) => allowedKinds(state).join()).split(",");
  if (chosen) return <NewBot {...props} kind={chosen} {...(!given && { onOtherKind: () => setChosen(undefined) })} />;
  return (
    <Dialog title={t("bots.new.title")} onClose={props.onClose}>
      <div className={classes.choices}>
        {BOT_KINDS.map((kind) => {
          const Icon = ICONS[kind];
          return (
            <button
              key={kind}
              type="button"
              className={classes.choice}
              disabled={!allowed.includes(kind)}
              onClick={() => setChosen(kind)}
              {...(kind === allowed[0] && { "data-autofocus": true })}
            >
              <Icon size="1.25rem" aria-hidden="true" />
              <span>
                <strong>{t(`bots.kind.${kind}`)}</strong>
                <small>{t(allowed.includes(kind) ? `bots.kindHint.${kind}` : "bots.new.mayNot")}</small>
              </span>
            </button>
          );
        })}
      </div>
    </Dialog>
  );
}

interface Values extends Record<string, unknown> {
  full_name: string;
  /** If empty, it follows from the name. */
  short_name: string;
  payload_url: string;
  interface_type: string;
  service_name: string;
  default_sending_stream: string;
  bot_owner_id: string;
  picture: File | null;
}

interface NewBotProps extends Omit<CreateBotProps, "kind"> {
  kind: BotKind;
  onOtherKind?: () => void;
}

/** The part of a name that an email address can contain. */
const shortNameOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .replace(/-bot$/, "")
    .slice(0, 50);

function NewBot({ kind, integration, onOtherKind, onCreated, onClose }: NewBotProps) {
  const { t } = useTranslation();
  const client = useClient();
  const self = useOrganization(({ user_id }) => user_id ?? 0);
  const serviceName = useOrganization(
    ({ realm_incoming_webhook_bots: services = [] }) =>
      services.find(({ name }) => name === integration)?.display_name ?? "",
  );

  const create = async (values: Values) => {
    const name = values.full_name.trim();
    const input = {
      full_name: name,
      short_name: values.short_name || shortNameOf(name),
      bot_type: botType(kind),
      ...(kind === "outgoing" && {
        payload_url: values.payload_url.trim(),
        interface_type: Number(values.interface_type),
      }),
      ...(kind === "incoming" && values.service_name && { service_name: values.service_name }),
      ...(kind === "generic" && { default_sending_stream: values.default_sending_stream }),
    };
    const { user_id } = values.picture
      ? await client.upload("POST /bots", input, values.picture)
      : await client.call("POST /bots", input);
    noticeDone(t("bots.new.created", { name }));
    onCreated(user_id);
    if (values.bot_owner_id === String(self)) return;
    // The owner can be changed later. Submitting the form again would create a second bot.
    await client
      .call("PATCH /bots/{bot_id}", { bot_id: user_id, bot_owner_id: Number(values.bot_owner_id) })
      .catch(noticeError);
  };

  return (
    <FormDialog<Values>
      title={t("bots.new.titleOf", { kind: t(`bots.kind.${kind}`) })}
      submitLabel={t("bots.new.submitUnnamed")}
      initialValues={{
        full_name: serviceName,
        short_name: "",
        payload_url: "",
        interface_type: "1",
        service_name: integration ?? "",
        default_sending_stream: "",
        bot_owner_id: String(self),
        picture: null,
      }}
      validate={{
        full_name: (name) => (name.trim() ? null : t("bots.missing.full_name")),
        short_name: (short, { full_name }) =>
          full_name.trim() && !short.trim() && !shortNameOf(full_name) ? t("bots.missing.short_name") : null,
        payload_url: (url) => (kind === "outgoing" && !url.trim() ? t("bots.missing.payload_url") : null),
      }}
      onSubmit={create}
      onClose={onClose}
    >
      {(form) => (
        <>
          {onOtherKind && (
            <Anchor component="button" type="button" size="sm" ta="start" onClick={onOtherKind}>
              {t("bots.new.otherKind")}
            </Anchor>
          )}
          <NameFields form={form} />
          <KindFields form={form} kind={kind} />
          <OwnerField form={form} />
        </>
      )}
    </FormDialog>
  );
}

type Fields = { form: FormOf<Values> };

function NameFields({ form }: Fields) {
  const { t } = useTranslation();
  const host = useOrganization(({ realm_bot_domain }) => realm_bot_domain ?? "");
  const { full_name, short_name, picture } = form.values;
  const preview = useMemo(() => picture && URL.createObjectURL(picture), [picture]);
  useEffect(() => () => URL.revokeObjectURL(preview ?? ""), [preview]);
  const short = short_name || shortNameOf(full_name);
  return (
    <>
      <TextInput
        label={t("bots.field.full_name")}
        description={t("bots.field.full_nameHint")}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("full_name")}
      />
      <TextInput
        label={t("bots.field.short_name")}
        description={t("bots.field.short_nameHint", { address: `${short || "…"}-bot@${host}` })}
        placeholder={shortNameOf(full_name)}
        autoComplete="off"
        {...form.getInputProps("short_name")}
      />
      <Group gap="sm">
        {preview && <RowPicture src={preview} size={40} />}
        <PictureButton onPicked={(file) => form.setFieldValue("picture", file)}>
          {t(preview ? "bots.field.changePicture" : "bots.field.choosePicture")}
        </PictureButton>
        {!preview && <Hint span>{t("bots.field.noPicture")}</Hint>}
      </Group>
    </>
  );
}

function KindFields({ form, kind }: Fields & { kind: BotKind }) {
  const { t } = useTranslation();
  const integrations = useOrganization(({ realm_incoming_webhook_bots }) => realm_incoming_webhook_bots);
  const channels = useOrganization(({ streams }) => streams);
  if (kind === "outgoing")
    return (
      <>
        <TextInput
          type="url"
          label={t("bots.field.payload_url")}
          description={
            <>
              {t("bots.field.payload_urlHint")} {t("bots.outgoing.urlHint")} <WebhookReachLink />
            </>
          }
          autoComplete="off"
          {...form.getInputProps("payload_url")}
        />
        <Select
          label={t("bots.field.interface_type")}
          data={INTERFACES.map(([value, name]) => ({ value: String(value), label: t(`bots.interface.${name}`) }))}
          allowDeselect={false}
          {...form.getInputProps("interface_type")}
        />
      </>
    );
  if (kind === "incoming")
    return (
      <Select
        label={t("bots.field.integration")}
        description={t("bots.field.integrationHint")}
        data={[
          { value: "", label: t("bots.field.anyService") },
          ...(integrations ?? []).map(({ name, display_name }) => ({ value: name, label: display_name })),
        ]}
        searchable
        allowDeselect={false}
        {...form.getInputProps("service_name")}
      />
    );
  return (
    <Select
      label={t("bots.field.default_sending_stream")}
      description={t("bots.field.default_sending_streamHint")}
      data={[
        { value: "", label: t("bots.field.noChannel") },
        ...(channels ?? []).filter(({ is_archived }) => !is_archived).map(({ name }) => ({ value: name, label: name })),
      ]}
      searchable
      allowDeselect={false}
      {...form.getInputProps("default_sending_stream")}
    />
  );
}

function OwnerField({ form }: Fields) {
  const { t } = useTranslation();
  const owners = useOwners();
  const isAdmin = useOrganization(({ is_admin }) => is_admin ?? false);
  if (!isAdmin) return null;
  return (
    <Select
      label={t("bots.field.owner")}
      description={t("bots.field.ownerHint")}
      data={owners.map(({ user_id, full_name }) => ({ value: String(user_id), label: full_name }))}
      searchable
      allowDeselect={false}
      {...form.getInputProps("bot_owner_id")}
    />
  );
}
