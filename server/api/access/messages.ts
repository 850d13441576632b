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

/** What one viewer may read now: made for one answer or action, and not cached. */
export interface MessageVisibility {
  readonly viewer: User;
  readonly state: ReadState;
  /** Whether the viewer may read the message. */
  sees(id: number): boolean;
  /** Whether a message that the viewer may read is part of their own history: received, sent, or starred, say. */
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

/** The same error for a message that the viewer may not read and for one that does not exist. */
const invalidMessage = () => badRequest("Invalid message(s)");

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

/** A message that the viewer may read and that still takes reactions, votes and the like. */
export function messageToRespondTo(
  reader: Reader,
  viewer: User,
  id: number,
): { row: MessageRow; visibility: MessageVisibility } {
  const message = messageToRead(reader, viewer, id);
  const channel = message.row.channel_id === null ? undefined : channelById(reader, message.row.channel_id);
  if (channel?.is_archived) throw badRequest(`The channel ${channel.name} is archived.`);
  return message;
}

/** A message whose read receipts the viewer may see. */
export function messageWithReceipts(reader: Reader, viewer: User, id: number): MessageRow {
  const { row } = messageToRead(reader, viewer, id);
  if (!organizationSetting(reader, "enable_read_receipts")) {
    throw badRequest("Read receipts are disabled in this organization.");
  }
  return row;
}

/** The active users who may read the message: the audience of its events. */
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

/** Those of these messages that the user may read once they are in the channel. */
export function readableAmong(reader: Reader, user: User, ids: readonly number[], channel: Channel): readonly number[] {
  const history = readableHistory(reader, user, channel);
  if (history === "all") return ids;
  if (history === "none") return [];
  const state = new ReadState(reader, user.id);
  return ids.filter((id) => state.receivedAt(id, channel.id));
}

/** The active users who may read anything in the channel; `id` is one of its messages. */
export function readersOf(reader: Reader, channel: Channel, id: number): readonly number[] {
  const isProtected = channel.invite_only && !channel.history_public_to_subscribers;
  return isProtected
    ? subscribersOf(reader, channel.id).ids
    : usersWhoCanReadChannel(reader, channel, { id, sentChannelId: channel.id });
}

/** The given ids without repeats, all of which the viewer may read. */
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
