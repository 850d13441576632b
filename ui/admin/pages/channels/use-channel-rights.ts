import { useOrganization } from "../../admin-context.ts";
import { membersInEffect } from "../../model/group-members.ts";
import type { Channel } from "./channel-kinds.ts";

export interface ChannelRights {
  readonly isOwner: boolean;
  readonly isAdministrator: boolean;
  /** May change its settings (docs/protocol.md#changing-a-channel). */
  readonly administers: boolean;
}

/** What the person at this window may do with a channel. The server decides; this is for what the page offers. */
export function useChannelRights(channel: Channel): ChannelRights {
  const isOwner = useOrganization(({ is_owner }) => is_owner === true);
  const isAdministrator = useOrganization(({ is_admin }) => is_admin === true);
  const administers = useOrganization(
    ({ is_admin, is_guest, user_id, realm_user_groups }) =>
      is_admin === true ||
      (is_guest !== true &&
        membersInEffect(realm_user_groups ?? [], channel.can_administer_channel_group).has(user_id ?? 0)),
  );
  return { isOwner, isAdministrator, administers };
}
