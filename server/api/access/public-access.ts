import type { Reader } from "../../storage/transaction.ts";
import { allChannels, type Channel } from "../queries/channels.ts";
import { CHUNK, messageIndex } from "../queries/message-index.ts";
import { isPublicAccessOn, PUBLIC_ACCESS_TABLES } from "../queries/organization.ts";
import type { GroupSetting } from "../queries/permission-settings.ts";
import { systemGroupId, systemGroupName } from "../queries/user-group-members.ts";
import { ROLES, type User } from "../queries/users.ts";

/**
 * A viewer without an account: a guest who is in no group, is subscribed to nothing and has received nothing, so that
 * every rule that does not mention spectators gives them nothing. No user has the id 0.
 */
export const SPECTATOR: User = {
  id: 0,
  email: "",
  full_name: "",
  role: ROLES.guest,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  system_bot: null,
  is_active: false,
  timezone: "",
  avatar_version: 1,
  avatar: null,
  key_generation: 0,
  joined_at: 0,
};

export const isSpectator = (viewer: Pick<User, "id">): boolean => viewer.id === SPECTATOR.id;

/** The viewer of a call without credentials; undefined if the server or the organization allows none. */
export const spectator = (reader: Reader): User | undefined => (isPublicAccessOn(reader) ? SPECTATOR : undefined);

/** Whether a channel may be read without an account: the server, the organization and the channel must all allow it. */
export const isOpenToAll = (reader: Reader, channel: Channel): boolean =>
  channel.is_web_public && !channel.invite_only && !channel.is_archived && isPublicAccessOn(reader);

/** In the order of their ids. */
export const channelsOpenToAll = (reader: Reader): Channel[] =>
  allChannels(reader).filter((channel) => isOpenToAll(reader, channel));

/** A group setting as spectators see it, who know only the system groups: any other value becomes `role:nobody`. */
export function groupShownToAll(reader: Reader, value: GroupSetting): number {
  const isSystemGroup = typeof value === "number" && systemGroupName(reader, value) !== undefined;
  return isSystemGroup ? value : systemGroupId(reader, "role:nobody");
}

interface Shown {
  readonly senders: Set<number>;
  /** The newest message that is counted. */
  last: number;
  /** `changes` of the message index when the walk began. */
  readonly changes: number;
}

/** Ids of the senders of what spectators may read: the only people they know of. Outside transactions only. */
export function sendersShownToAll(reader: Reader): ReadonlySet<number> {
  const index = messageIndex(reader);
  const channels = reader.derived("channels open to all", ["channels", ...PUBLIC_ACCESS_TABLES], (rows) => ({
    ids: new Set(channelsOpenToAll(rows).map(({ id }) => id)),
    first: Math.min(...channelsOpenToAll(rows).map((channel) => channel.first_message_id ?? Number.POSITIVE_INFINITY)),
    shown: undefined as Shown | undefined,
  }));
  const last = index.last(reader);
  // New messages are added to what is known; where some were moved or deleted, all are looked through again.
  if (channels.shown?.changes !== index.changes) {
    channels.shown = { senders: new Set(), last: channels.first - 1, changes: index.changes };
  }
  const { shown } = channels;
  for (let number = Math.floor((shown.last + 1) / CHUNK); number * CHUNK <= last; number += 1) {
    const { senders, locations } = index.chunk(reader, number);
    for (let at = 0; at < CHUNK; at += 1)
      if (channels.ids.has(locations[at] as number)) shown.senders.add(senders[at] as number);
  }
  shown.last = Math.max(shown.last, last);
  return shown.senders;
}
