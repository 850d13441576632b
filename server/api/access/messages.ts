import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { systemBotIds } from "../queries/bots.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { messageIndex } from "../queries/message-index.ts";
import { type MessageRow, messageRow } from "../queries/messages.ts";
import { organizationSetting } from "../queries/organization.ts";
import { FLAG, flagged, ReadState } from "../queries/read-state.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { type User, userById } from "../queries/users.ts";
import { readableHistory, usersWhoCanReadChannel } from "./channels.ts";

/** The messages that a viewer can read now. Create it for one request; do not cache it. */
export interface MessageVisibility {
  readonly viewer: User;
  readonly state: ReadState;
  sees(id: number): boolean;
  /** Whether a readable message is in the viewer's history: received, sent or flagged. */
  isOwnHistory(id: number): boolean;
}

export function messageVisibility(reader: Reader, viewer: User): MessageVisibility {
  const state = new ReadState(reader, viewer.id);
  const index = messageIndex(reader);
  const readable = new Map<number, "all" | "received" | "none">();
  let historical: Set<number> | undefined;
  return {
    viewer,
    state,
    sees(id) {
      const entry = index.entry(reader, id);
      if (!entry) return false;
      if (entry.location < 0) return state.received(id);
      let history = readable.get(entry.location);
      if (!history) {
        const channel = channelById(reader, entry.location);
        history = channel ? readableHistory(reader, viewer, channel) : "none";
        readable.set(entry.location, history);
      }
      return history === "all" || (history === "received" && state.receivedAt(id, entry.location));
    },
    isOwnHistory(id) {
      if (state.received(id) || index.entry(reader, id)?.sender === viewer.id) return true;
      historical ??= new Set(flagged(reader, viewer.id, FLAG.historical));
      return historical.has(id);
    },
  };
}

/** Unreadable and missing messages get the same error. */
const invalidMessage = () => badRequest("message_not_found");

export function messageToRead(
  reader: Reader,
  viewer: User,
  id: number,
): { row: MessageRow; visibility: MessageVisibility } {
  const visibility = messageVisibility(reader, viewer);
  const row = visibility.sees(id) ? messageRow(reader, id) : undefined;
  if (!row) throw invalidMessage();
  return { row, visibility };
}

/** A readable message that still accepts reactions, votes and the like. */
export function messageToRespondTo(
  reader: Reader,
  viewer: User,
  id: number,
): { row: MessageRow; visibility: MessageVisibility } {
  const message = messageToRead(reader, viewer, id);
  const channel = message.row.channel_id === null ? undefined : channelById(reader, message.row.channel_id);
  if (channel?.is_archived) throw badRequest("channel_archived", { channel: channel.name });
  return message;
}

export function messageWithReceipts(reader: Reader, viewer: User, id: number): MessageRow {
  const { row } = messageToRead(reader, viewer, id);
  if (!organizationSetting(reader, "enable_read_receipts")) {
    throw badRequest("read_receipts_disabled");
  }
  return row;
}

export function usersWhoCanRead(reader: Reader, { id, channel_id, recipient_id }: MessageRow): number[] {
  const channel = channel_id === null ? undefined : channelById(reader, channel_id);
  if (!channel) {
    const bots = systemBotIds(reader);
    return conversationMembers(reader, recipient_id).filter(
      (one) => !bots.includes(one) && userById(reader, one)?.is_active,
    );
  }
  const sentChannelId = messageIndex(reader).entry(reader, id)?.sent ?? channel.id;
  return usersWhoCanReadChannel(reader, channel, { id, sentChannelId });
}

/** The messages that the user can read if they are in the channel. */
export function readableAmong(reader: Reader, user: User, ids: readonly number[], channel: Channel): readonly number[] {
  const history = readableHistory(reader, user, channel);
  if (history === "all") return ids;
  if (history === "none") return [];
  const state = new ReadState(reader, user.id);
  return ids.filter((id) => state.receivedAt(id, channel.id));
}

/** Active users who can read any message of the channel. `id`: one of its messages. */
export function readersOf(reader: Reader, channel: Channel, id: number): readonly number[] {
  const isProtected = channel.invite_only && !channel.history_public_to_subscribers;
  return isProtected
    ? subscribersOf(reader, channel.id).ids
    : usersWhoCanReadChannel(reader, channel, { id, sentChannelId: channel.id });
}

/** Removes duplicates. Throws unless the viewer can read all messages. */
export function messagesToFlag(
  reader: Reader,
  viewer: User,
  ids: readonly number[],
): { ids: number[]; visibility: MessageVisibility } {
  const visibility = messageVisibility(reader, viewer);
  const unique = [...new Set(ids)];
  if (!unique.every((id) => visibility.sees(id))) throw invalidMessage();
  return { ids: unique, visibility };
}

/** The private channel that receives reports. */
export function channelForReports(reader: Reader): Channel {
  const channel = channelById(reader, organizationSetting(reader, "moderation_request_channel_id"));
  if (!channel || channel.is_archived) throw badRequest("moderation_channel_not_set");
  return channel;
}
