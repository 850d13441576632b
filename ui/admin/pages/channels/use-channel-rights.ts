import type { State } from "../../../api/state-shape.ts";
import { type GroupSetting, membersInEffect } from "../../../parts/settings/group-members.ts";
import { useOrganization } from "../../admin-context.ts";
import type { Channel } from "./channel-kinds.ts";

export interface ChannelRights {
  readonly isOwner: boolean;
  readonly isAdministrator: boolean;
  /** May change its settings (docs/protocol.md#changing-a-channel). */
  readonly administers: boolean;
  readonly addsSubscribers: boolean;
  readonly removesSubscribers: boolean;
}

/** The actions that the page offers for a channel. The server checks permissions again. */
export function useChannelRights(channel: Channel): ChannelRights {
  const isOwner = useOrganization(({ is_owner }) => is_owner === true);
  const isAdministrator = useOrganization(({ is_admin }) => is_admin === true);
  const isIn = (setting: GroupSetting, { is_guest, user_id, realm_user_groups = [] }: State) =>
    is_guest !== true && membersInEffect(realm_user_groups, setting).has(user_id ?? 0);
  const administers = useOrganization(
    (state) => state.is_admin === true || isIn(channel.can_administer_channel_group, state),
  );
  const addsSubscribers = useOrganization(
    (state) => state.can_subscribe_other_users === true || isIn(channel.can_add_subscribers_group, state),
  );
  const removesSubscribers = useOrganization((state) => isIn(channel.can_remove_subscribers_group, state));
  return {
    isOwner,
    isAdministrator,
    administers,
    addsSubscribers: administers || addsSubscribers,
    removesSubscribers: administers || removesSubscribers,
  };
}
