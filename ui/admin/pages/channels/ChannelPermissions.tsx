import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { GroupSetting } from "../../parts/GroupSettingPicker.tsx";
import classes from "./ChannelDrawer.module.css";
import type { Channel } from "./channel-kinds.ts";
import { CHANNEL_PERMISSIONS } from "./channel-permissions.ts";
import { useChannelRights } from "./use-channel-rights.ts";

export function ChannelPermissions({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const client = useClient();
  const { administers } = useChannelRights(channel);
  const { stream_id } = channel;
  return (
    <div className={classes.settings}>
      <p className={classes.note}>{t("channels.permissions.lead")}</p>
      {CHANNEL_PERMISSIONS.map((name) => (
        <GroupSetting
          key={name}
          permission={{ of: "stream", name }}
          label={t(`channels.permissions.${name}.label`)}
          help={t(`channels.permissions.${name}.help`)}
          value={channel[name]}
          disabled={!administers || channel.is_archived}
          save={(value, old) => client.call("PATCH /streams/{stream_id}", { stream_id, [name]: { new: value, old } })}
        />
      ))}
    </div>
  );
}
