import { useTranslation } from "react-i18next";
import { useClient } from "../../api/client-context.ts";
import type { Channel } from "../../api/state-shape.ts";
import { GroupSetting } from "../settings/GroupSettingPicker.tsx";
import { CHANNEL_PERMISSIONS } from "./channel-permissions.ts";

export interface ChannelPermissionsProps {
  channel: Channel;
  /** The viewer may not change them: they are shown. */
  disabled: boolean;
}

/** Who may do what in a channel. Each is saved at once. */
export function ChannelPermissions({ channel, disabled }: ChannelPermissionsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { stream_id } = channel;
  return CHANNEL_PERMISSIONS.map((name) => (
    <GroupSetting
      key={name}
      permission={{ of: "stream", name }}
      label={t(`channels.permissions.${name}.label`)}
      help={t(`channels.permissions.${name}.help`)}
      value={channel[name]}
      disabled={disabled}
      save={(value, old) => client.call("PATCH /streams/{stream_id}", { stream_id, [name]: { new: value, old } })}
    />
  ));
}
