import type { Reader, Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSeeChannel } from "../access/channels.ts";
import { channelOnWire } from "../presenters/channels.ts";
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type Channel,
  type ChannelGroupSettings,
  channelById,
  channelNameKey,
  defaultChannels,
  isRecentlyActive,
  type TopicsPolicy,
} from "../queries/channels.ts";
import { CHANNEL_GROUP_SETTINGS } from "../queries/permission-settings.ts";
import { systemGroupId } from "../queries/user-group-members.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { aboutChannel } from "./channel-visibility.ts";

export interface NewChannel {
  name: string;
  description: string;
  /** The description as HTML. */
  rendered_description: string;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  message_retention_days: number | null;
  topics_policy: TopicsPolicy;
  folder_id?: number | null;
  is_default: boolean;
  /** Group settings that differ from the defaults (docs/protocol.md#group-settings). */
  groups: Partial<ChannelGroupSettings>;
}

function initialGroups(reader: Reader, creator: User | null): ChannelGroupSettings {
  const groups: Record<string, unknown> = {};
  for (const name of CHANNEL_GROUP_SETTING_NAMES) {
    const { initial } = CHANNEL_GROUP_SETTINGS[name];
    if (initial !== "stream_creator_or_nobody") groups[name] = systemGroupId(reader, initial);
    else if (creator) groups[name] = { direct_members: [creator.id], direct_subgroups: [] };
    else groups[name] = systemGroupId(reader, "role:nobody");
  }
  return groups as unknown as ChannelGroupSettings;
}

/** Creates a channel; the name must be free. Subscribes nobody, not even the creator (null: the server itself). */
export function createChannel(tx: Transaction, creator: User | null, input: NewChannel): Channel {
  const groups = { ...initialGroups(tx, creator), ...input.groups };
  const recipientId = tx.run("INSERT INTO recipients (conversation_key) VALUES (NULL)");
  const id = tx.run(
    `INSERT INTO channels (recipient_id, name, name_key, description, rendered_description, creator_id, created_at,
       invite_only, is_web_public, history_public_to_subscribers, message_retention_days, topics_policy, folder_id,
       is_default, ${CHANNEL_GROUP_SETTING_NAMES.join(", ")})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${CHANNEL_GROUP_SETTING_NAMES.map(() => "?").join(", ")})`,
    recipientId,
    input.name,
    channelNameKey(input.name),
    input.description,
    input.rendered_description,
    creator?.id ?? null,
    tx.now,
    Number(input.invite_only),
    Number(input.is_web_public),
    Number(input.history_public_to_subscribers),
    input.message_retention_days,
    input.topics_policy,
    input.folder_id ?? null,
    Number(input.is_default),
    ...CHANNEL_GROUP_SETTING_NAMES.map((name) => JSON.stringify(groups[name])),
  );
  const channel = channelById(tx, id) as Channel;
  tx.emit(
    { type: "stream", op: "create", streams: [channelOnWire(tx, channel, tx.now)] },
    { users: usersWhoCanSeeChannel(tx, channel) },
  );
  if (channel.is_default) announceDefaultChannels(tx);
  const { name, invite_only, is_web_public, history_public_to_subscribers } = channel;
  const after = { name, invite_only, is_web_public, history_public_to_subscribers };
  recordAudit(tx, creator, { action: "create channel", target: `channel ${id}`, after });
  return channel;
}

/** Guests get no default channels: others choose their channels. */
export function announceDefaultChannels(tx: Transaction): void {
  const users = activeUserIds(tx).filter((userId) => (userById(tx, userId)?.role ?? ROLES.guest) !== ROLES.guest);
  tx.emit({ type: "default_streams", default_streams: defaultChannels(tx).map(({ id }) => id) }, { users });
}

/** Announces that channels are no longer recently active: they had no message for half a year. */
export function announceQuiet(tx: Transaction, channelIds: readonly number[]): void {
  for (const id of channelIds) {
    const channel = channelById(tx, id);
    if (!channel || isRecentlyActive(tx, channel, tx.now)) continue;
    const fields = {
      stream_id: id,
      name: channel.name,
      property: "is_recently_active",
      value: false,
      ...aboutChannel(channel),
    } as const;
    tx.emit({ type: "stream", op: "update", ...fields }, { users: usersWhoCanSeeChannel(tx, channel) });
  }
}
