import "@mantine/core/styles/NumberInput.layer.css";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { ChannelPermissions } from "../../parts/channels/ChannelPermissions.tsx";
import { FolderSetting } from "../../parts/channels/FolderSetting.tsx";
import { RetentionSetting } from "../../parts/channels/RetentionSetting.tsx";
import { useChatState } from "../chat-context.ts";
import classes from "../settings/Settings.module.css";
import ownClasses from "./Channels.module.css";

/** Folder, retention and permissions, for channel administrators. */
export function ChannelSettings({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const isOwner = useChatState(({ is_owner }) => is_owner === true);
  return (
    <div className={classes.form}>
      <FolderSetting channel={channel} disabled={channel.is_archived} />
      <RetentionSetting channel={channel} disabled={!isOwner || channel.is_archived} />
      <div className={ownClasses.lead}>
        <h3>{t("channels.tabs.permissions")}</h3>
        <p className={ownClasses.hint}>{t("channels.permissions.lead")}</p>
      </div>
      <ChannelPermissions channel={channel} disabled={channel.is_archived} />
    </div>
  );
}
