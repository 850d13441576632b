import type { Reader } from "../../storage/transaction.ts";
import { allChannels, type Channel } from "../queries/channels.ts";
import { CHUNK, messageIndex } from "../queries/message-index.ts";
import { isPublicAccessOn, PUBLIC_ACCESS_TABLES } from "../queries/organization.ts";
import type { GroupSetting } from "../queries/permission-settings.ts";
import { systemGroupId, systemGroupName } from "../queries/user-group-members.ts";
import { ROLES, type User } from "../queries/users.ts";

/**
 * A viewer without an account: a guest without groups, subscriptions and messages. So rules that do not mention
 * spectators give them nothing. No user has the ID 0.
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
  is_imported_stub: false,
};

export const isSpectator = (viewer: Pick<User, "id">): boolean => viewer.id === SPECTATOR.id;

/** Undefined if public access is off. */
export const spectator = (reader: Reader): User | undefined => (isPublicAccessOn(reader) ? SPECTATOR : undefined);

/** The server, the organization and the channel must all allow it. */
export const isOpenToAll = (reader: Reader, channel: Channel): boolean =>
  channel.is_web_public && !channel.invite_only && !channel.is_archived && isPublicAccessOn(reader);

/** Sorted by ID. */
export const channelsOpenToAll = (reader: Reader): Channel[] =>
  allChannels(reader).filter((channel) => isOpenToAll(reader, channel));

/** Spectators know only system groups. Other values become `role:nobody`. */
export function groupShownToAll(reader: Reader, value: GroupSetting): number {
  const isSystemGroup = typeof value === "number" && systemGroupName(reader, value) !== undefined;
  return isSystemGroup ? value : systemGroupId(reader, "role:nobody");
}

interface Shown {
  readonly senders: Set<number>;
  /** The newest counted message. */
  last: number;
  /** `changes` of the message index at the start of the scan. */
  readonly changes: number;
}

/** Senders of messages that spectators can read. Spectators know no other people. Do not call it in a transaction. */
export function sendersShownToAll(reader: Reader): ReadonlySet<number> {
  const index = messageIndex(reader);
  const channels = reader.derived("channels open to all", ["channels", ...PUBLIC_ACCESS_TABLES], (rows) => ({
    ids: new Set(channelsOpenToAll(rows).map(({ id }) => id)),
    first: Math.min(...channelsOpenToAll(rows).map((channel) => channel.first_message_id ?? Number.POSITIVE_INFINITY)),
    shown: undefined as Shown | undefined,
  }));
  const last = index.last(reader);
  // Counts only new messages, unless messages were moved or deleted.
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
