import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useOrganization } from "../../admin-context.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { ChoiceSetting, SwitchSetting, TextSetting } from "../../parts/settings.tsx";
import { useSaved } from "../../parts/use-saved.ts";
import { ArchiveChannel } from "./ArchiveChannel.tsx";
import classes from "./ChannelDrawer.module.css";
import { ChannelReaders } from "./ChannelReaders.tsx";
import { type Channel, isPrivate, isWebPossible, KINDS, type Kind, kindOf, widens } from "./channel-kinds.ts";
import { RetentionSetting } from "./RetentionSetting.tsx";
import { useChannelRights } from "./use-channel-rights.ts";

const TOPICS_POLICIES = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;
const NO_FOLDER = 0;

export function ChannelSettings({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const client = useClient();
  const { isOwner, isAdministrator, administers } = useChannelRights(channel);
  const folders = useOrganization(({ channel_folders }) => channel_folders) ?? [];
  const isDefault = useOrganization((state) => state.realm_default_streams?.includes(channel.stream_id) ?? false);
  const { stream_id } = channel;
  const disabled = !administers || channel.is_archived;
  const offered = folders.filter(({ id, is_archived }) => !is_archived || id === channel.folder_id);
  return (
    <div className={classes.settings}>
      <TextSetting
        label={t("channels.fields.name")}
        value={channel.name}
        disabled={!administers}
        save={(new_name) => client.call("PATCH /streams/{stream_id}", { stream_id, new_name })}
      />
      <TextSetting
        label={t("channels.fields.description")}
        help={t("channels.descriptionHelp")}
        value={channel.description}
        disabled={disabled}
        save={(description) => client.call("PATCH /streams/{stream_id}", { stream_id, description })}
      />
      <div>
        <KindSetting channel={channel} disabled={disabled} />
        <ChannelReaders channel={channel} />
      </div>
      <ChoiceSetting
        label={t("channels.fields.folder")}
        value={channel.folder_id ?? NO_FOLDER}
        disabled={disabled}
        choices={[
          { value: NO_FOLDER, label: t("channels.noFolder") },
          ...offered.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        save={(id) => client.call("PATCH /streams/{stream_id}", { stream_id, folder_id: id === NO_FOLDER ? null : id })}
      />
      <SwitchSetting
        label={t("channels.fields.default")}
        help={isPrivate(kindOf(channel)) ? t("channels.defaultNotPrivate") : t("channels.defaultHelp")}
        value={isDefault}
        disabled={!isAdministrator || channel.is_archived || isPrivate(kindOf(channel))}
        save={(is_default_stream) => client.call("PATCH /streams/{stream_id}", { stream_id, is_default_stream })}
      />
      <ChoiceSetting
        label={t("channels.fields.topics")}
        value={channel.topics_policy}
        disabled={disabled}
        choices={TOPICS_POLICIES.map((value) => ({ value, label: t(`channels.topicsPolicies.${value}`) }))}
        save={(topics_policy) => client.call("PATCH /streams/{stream_id}", { stream_id, topics_policy })}
      />
      <RetentionSetting channel={channel} disabled={!isOwner || channel.is_archived} />
      {administers && <ArchiveChannel channel={channel} />}
    </div>
  );
}

/** Who can read the channel. What lets more people read asks first: what they have read stays known. */
function KindSetting({ channel, disabled }: { channel: Channel; disabled: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const [asked, setAsked] = useState<Kind>();
  const isWebOffered = useOrganization(isWebPossible);
  const everyone = useOrganization((state) => state.realm_users)?.filter(({ is_guest }) => !is_guest).length ?? 0;
  const { stream_id } = channel;
  const kind = kindOf(channel);
  const { shown, error, isSaving, change } = useSaved<Kind>({
    value: kind,
    name: t("channels.fields.kind"),
    save: (next) =>
      client.call("PATCH /streams/{stream_id}", {
        stream_id,
        is_private: isPrivate(next),
        is_web_public: next === "web",
        history_public_to_subscribers: next !== "protected",
      }),
  });
  const kinds = KINDS.filter((one) => one !== "web" || isWebOffered || kind === "web");
  return (
    <>
      <Select
        label={t("channels.fields.kind")}
        description={t(`channels.kindHints.${shown}`)}
        data={kinds.map((value) => ({ value, label: t(`channels.kinds.${value}`) }))}
        value={shown}
        error={error}
        disabled={disabled}
        aria-busy={isSaving}
        allowDeselect={false}
        onChange={(picked) => {
          const next = KINDS.find((one) => one === picked);
          if (!next || next === shown) return;
          if (widens(shown, next)) setAsked(next);
          else change(next);
        }}
      />
      {asked && (
        <ConfirmDialog
          title={t("channels.widen.title", { name: channel.name })}
          confirmLabel={t(`channels.widen.confirm.${asked}`)}
          onConfirm={async () => change(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked === "private" && t("channels.widen.private")}
          {asked === "public" && t("channels.widen.public", { count: everyone, before: channel.subscriber_count })}
          {asked === "web" && t("channels.widen.web")}
        </ConfirmDialog>
      )}
    </>
  );
}
