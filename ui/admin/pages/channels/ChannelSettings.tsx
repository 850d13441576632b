import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { FolderSetting } from "../../../parts/channels/FolderSetting.tsx";
import { RetentionSetting } from "../../../parts/channels/RetentionSetting.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { ChoiceSetting, SwitchSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { useSaved } from "../../../parts/settings/use-saved.ts";
import { useOrganization } from "../../admin-context.ts";
import { ArchiveChannel } from "./ArchiveChannel.tsx";
import classes from "./ChannelDrawer.module.css";
import { ChannelReaders } from "./ChannelReaders.tsx";
import { type Channel, isPrivate, isWebPossible, KINDS, type Kind, kindOf, widens } from "./channel-kinds.ts";
import { useChannelRights } from "./use-channel-rights.ts";

const TOPICS_POLICIES = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;

export function ChannelSettings({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const client = useClient();
  const { isOwner, isAdministrator, administers } = useChannelRights(channel);
  const isDefault = useOrganization((state) => state.realm_default_streams?.includes(channel.stream_id) ?? false);
  const { stream_id } = channel;
  const disabled = !administers || channel.is_archived;
  return (
    <div className={classes.settings}>
      {!administers && <p className={classes.note}>{t("channels.readOnly")}</p>}
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
      <FolderSetting channel={channel} disabled={disabled} />
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
