import { useTranslation } from "react-i18next";
import type { ChannelGroupSettingName } from "../../../../server/queries/permission-settings.ts";
import { useClient } from "../../../api/client-context.ts";
import { GroupSetting } from "../../parts/GroupSettingPicker.tsx";
import classes from "./ChannelDrawer.module.css";
import type { Channel } from "./channel-kinds.ts";
import { useChannelRights } from "./use-channel-rights.ts";

/** In the order in which people ask: who talks, who gets in, who tidies up. */
const PERMISSIONS = [
  "can_send_message_group",
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_remove_subscribers_group",
  "can_administer_channel_group",
  "can_resolve_topics_group",
  "can_move_messages_within_channel_group",
  "can_move_messages_out_of_channel_group",
  "can_delete_own_message_group",
  "can_delete_any_message_group",
] as const satisfies readonly ChannelGroupSettingName[];

export function ChannelPermissions({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const client = useClient();
  const { administers } = useChannelRights(channel);
  const { stream_id } = channel;
  return (
    <div className={classes.settings}>
      <p className={classes.note}>{t("channels.permissions.lead")}</p>
      {PERMISSIONS.map((name) => (
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
