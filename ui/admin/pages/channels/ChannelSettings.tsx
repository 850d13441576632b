import { Select, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { FolderSetting } from "../../../parts/channels/FolderSetting.tsx";
import { RetentionSetting } from "../../../parts/channels/RetentionSetting.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { ChoiceSetting, SwitchSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { useSaved } from "../../../parts/settings/use-saved.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { ArchiveChannel } from "./ArchiveChannel.tsx";
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
    <Stack gap="lg">
      {!administers && <Hint size="xs">{t("channels.readOnly")}</Hint>}
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
    </Stack>
  );
}

/** Who can read the channel. A change that lets more people read needs a confirmation: it cannot be undone. */
function KindSetting({ channel, disabled }: { channel: Channel; disabled: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const [confirming, setConfirming] = useState<Kind>();
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
  const kinds = KINDS.filter((name) => name !== "web" || isWebOffered || kind === "web");
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
          const next = KINDS.find((name) => name === picked);
          if (!next || next === shown) return;
          if (widens(shown, next)) setConfirming(next);
          else change(next);
        }}
      />
      {confirming && (
        <ConfirmDialog
          title={t("channels.widen.title", { name: channel.name })}
          confirmLabel={t(`channels.widen.confirm.${confirming}`)}
          onConfirm={async () => change(confirming)}
          onClose={() => setConfirming(undefined)}
        >
          {confirming === "private" && t("channels.widen.private")}
          {confirming === "public" && t("channels.widen.public", { count: everyone, before: channel.subscriber_count })}
          {confirming === "web" && t("channels.widen.web")}
        </ConfirmDialog>
      )}
    </>
  );
}
