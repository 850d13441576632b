import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { OFFERED_ROLES, OWNER, type Role, roleName } from "../../../parts/settings/roles.ts";
import { ChoiceSetting, SwitchSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import classes from "../../parts/details.module.css";
import { PictureButton } from "../../parts/PictureButton.tsx";
import { RowPicture } from "../../parts/RowPicture.tsx";
import type { BotRow } from "./bots.ts";
import { useOwners } from "./use-owners.ts";

type Changes = Omit<Input<"PATCH /bots/{bot_id}">, "bot_id">;

/** The settings of all kinds of bots. */
export function BotSettings({ row }: { row: BotRow }) {
  const { t } = useTranslation();
  const client = useClient();
  const owners = useOwners();
  const isAdmin = useOrganization(({ is_admin }) => is_admin ?? false);
  const { bot, role } = row;
  const patch = (changes: Changes) => client.call("PATCH /bots/{bot_id}", { bot_id: bot.user_id, ...changes });
  const owner = owners.find(({ user_id }) => user_id === bot.owner_id);
  const disabled = !bot.is_active;

  const picture = useMutation({
    mutationFn: (file: File) => client.upload("PATCH /bots/{bot_id}", { bot_id: bot.user_id }, file),
    onSuccess: () => noticeDone(t("saving.savedNamed", { name: t("bots.field.picture") })),
    onError: (error) => noticeError(error),
  });

  return (
    <div className={classes.panel}>
      <div className={classes.section}>
        <TextSetting
          label={t("bots.field.full_name")}
          help={t("bots.field.full_nameHint")}
          value={bot.full_name}
          disabled={disabled}
          save={(full_name) => patch({ full_name })}
        />
        <Group gap="sm">
          <RowPicture src={bot.avatar_url} size={40} />
          <PictureButton disabled={disabled} onPicked={picture.mutate}>
            {t("bots.field.changePicture")}
          </PictureButton>
        </Group>
        <ChoiceSetting
          label={t("bots.field.owner")}
          help={t(isAdmin ? "bots.field.ownerHint" : "bots.field.ownerLost")}
          value={bot.owner_id ?? 0}
          choices={[
            ...(owner ? [] : [{ value: bot.owner_id ?? 0, label: row.ownerName ?? t("bots.nobody") }]),
            ...owners.map(({ user_id, full_name }) => ({ value: user_id, label: full_name })),
          ]}
          disabled={disabled}
          save={(bot_owner_id) => patch({ bot_owner_id })}
        />
        <ChoiceSetting
          label={t("bots.field.role")}
          help={t("bots.field.roleHint")}
          value={role}
          choices={OFFERED_ROLES.filter((one) => one >= (owner?.role ?? OWNER) || one === role).map((one) => ({
            value: one as number,
            label: roleName(one, t),
          }))}
          disabled={disabled || !isAdmin}
          ask={(value) =>
            value === OWNER
              ? { title: t("people.makeOwner", { name: bot.full_name }), consequences: t("people.makeOwnerOfBot") }
              : undefined
          }
          save={(value) => patch({ role: value as Role })}
        />
      </div>
      {row.kind !== "incoming" && <DefaultChannels row={row} patch={patch} />}
      {bot.is_active && <Deactivate row={row} />}
    </div>
  );
}

/** For programs that ask the server where to send and which channels to follow. */
function DefaultChannels({ row: { bot }, patch }: { row: BotRow; patch: (changes: Changes) => Promise<unknown> }) {
  const { t } = useTranslation();
  const channels = useOrganization(({ streams }) => streams);
  const names = (channels ?? []).filter(({ is_archived }) => !is_archived).map(({ name }) => name);
  const choices = (chosen: string | null) => [
    { value: "", label: t("bots.field.noChannel") },
    ...[...new Set([...(chosen ? [chosen] : []), ...names])].map((name) => ({ value: name, label: name })),
  ];
  return (
    <div className={classes.section}>
      {(["default_sending_stream", "default_events_register_stream"] as const).map((field) => (
        <ChoiceSetting
          key={field}
          label={t(`bots.field.${field}`)}
          help={t(`bots.field.${field}Hint`)}
          value={bot[field] ?? ""}
          choices={choices(bot[field])}
          disabled={!bot.is_active}
          save={(name) => patch({ [field]: name })}
        />
      ))}
      <SwitchSetting
        label={t("bots.field.default_all_public_streams")}
        value={bot.default_all_public_streams}
        disabled={!bot.is_active}
        save={(value) => patch({ default_all_public_streams: value })}
      />
    </div>
  );
}

function Deactivate({ row: { bot, health } }: { row: BotRow }) {
  const { t } = useTranslation();
  const client = useClient();
  const [asks, setAsks] = useState(false);
  const name = bot.full_name;
  const waiting = health?.waiting ?? 0;
  return (
    <div className={classes.section}>
      <div>
        <Button variant="outline" color="red" size="sm" onClick={() => setAsks(true)}>
          {t("bots.deactivate.button", { name })}
        </Button>
      </div>
      {asks && (
        <ConfirmDialog
          title={t("bots.deactivate.title", { name })}
          confirmLabel={t("bots.deactivate.confirm", { name })}
          onConfirm={async () => {
            await client.call("DELETE /bots/{bot_id}", { bot_id: bot.user_id });
            noticeDone(t("bots.deactivate.done", { name }));
          }}
          onClose={() => setAsks(false)}
        >
          <Hint>{t("bots.deactivate.loss")}</Hint>
          {waiting > 0 && <Hint>{t("bots.deactivate.waiting", { count: waiting })}</Hint>}
        </ConfirmDialog>
      )}
    </div>
  );
}
