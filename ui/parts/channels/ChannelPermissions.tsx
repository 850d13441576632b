import { useTranslation } from "react-i18next";
import type { ChannelGroupSettingName } from "../../../server/api/queries/permission-settings.ts";
import { useClient } from "../../api/client-context.ts";
import type { Channel } from "../../api/state-shape.ts";
import { GroupSetting } from "../settings/GroupSettingPicker.tsx";
import { useOrganization } from "../settings/organization-context.ts";

/** The permissions of channels, in the server's order. */
export function useChannelPermissions(): ChannelGroupSettingName[] {
  const supported = useOrganization((state) => state.server_supported_permission_settings?.stream);
  return Object.keys(supported ?? {}) as ChannelGroupSettingName[];
}

export interface ChannelPermissionsProps {
  channel: Channel;
  disabled: boolean;
}

export function ChannelPermissions({ channel, disabled }: ChannelPermissionsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { stream_id } = channel;
  return useChannelPermissions().map((name) => (
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
