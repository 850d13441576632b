import { ApiError, badRequest, problem } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { allChannels, type Channel } from "../queries/channels.ts";
import { conversationMembers } from "../queries/conversations.ts";
import { EXPORT_TYPE, type Export, type ExportType, exportById, isAvailable, isPending } from "../queries/exports.ts";
import { messageIndex } from "../queries/message-index.ts";
import { ReadState } from "../queries/read-state.ts";
import { isSubscribed } from "../queries/subscriptions.ts";
import { settingByUser } from "../queries/user-settings.ts";
import { activeUserIds, type User, userById } from "../queries/users.ts";
import { isProtected } from "./channels.ts";

/** Active people, ascending. */
export const peopleToConsent = (reader: Reader): User[] =>
  activeUserIds(reader)
    .map((id) => userById(reader, id) as User)
    .filter(({ is_bot }) => !is_bot);

/** People who agreed to export their private data. */
export function consentingPeople(reader: Reader): User[] {
  const agreed = settingByUser(reader, "allow_private_data_export");
  return peopleToConsent(reader).filter(({ id }) => agreed(id));
}

export interface ExportScope {
  /** The people whose private data is included. */
  readonly consenting: readonly User[];
  readonly channels: readonly Channel[];
  includes(messageId: number): boolean;
}

/**
 * Messages in public channels are always included. With consent, so are messages that a consenting person can read:
 * their direct messages, and what they can read in their private channels.
 */
export function exportScope(reader: Reader, type: ExportType): ExportScope {
  const consenting = type === EXPORT_TYPE.withConsent ? consentingPeople(reader) : [];
  const ids = new Set(consenting.map(({ id }) => id));
  const index = messageIndex(reader);
  const subscribed = (channel: Channel) => consenting.filter(({ id }) => isSubscribed(reader, id, channel.id));
  const channels = allChannels(reader).filter((channel) => !channel.invite_only || subscribed(channel).length > 0);
  const states = new Map<number, ReadState>();
  const stateOf = (userId: number) => {
    const state = states.get(userId) ?? new ReadState(reader, userId);
    states.set(userId, state);
    return state;
  };
  /** By channel ID: null if all messages are included, otherwise the people whose history counts. */
  const readers = new Map(
    channels.map((channel) => [channel.id, isProtected(channel) ? subscribed(channel).map(({ id }) => id) : null]),
  );
  const conversations = new Map<number, boolean>();
  const takesPart = (recipientId: number) => {
    let cached = conversations.get(recipientId);
    if (cached === undefined) {
      cached = conversationMembers(reader, recipientId).some((id) => ids.has(id));
      conversations.set(recipientId, cached);
    }
    return cached;
  };
  return {
    consenting,
    channels,
    includes(id) {
      const entry = index.entry(reader, id);
      if (!entry) return false;
      if (entry.location < 0) return ids.size > 0 && takesPart(-entry.location);
      const whose = readers.get(entry.location);
      if (whose === undefined) return false;
      return whose === null || whose.some((userId) => stateOf(userId).receivedAt(id, entry.location));
    },
  };
}

const noSuchExport = () => badRequest("export_not_found");

export function exportToDelete(reader: Reader, id: number): Export {
  const found = exportById(reader, id);
  if (!found) throw noSuchExport();
  if (found.deleted_at !== null) throw badRequest("export_already_deleted");
  if (found.failed_at !== null) throw badRequest("export_failed");
  if (isPending(found)) throw badRequest("export_in_progress");
  return found;
}

export function exportToCancel(reader: Reader, id: number): Export {
  const found = exportById(reader, id);
  if (!found) throw noSuchExport();
  if (!isPending(found)) throw badRequest("export_not_in_progress");
  return found;
}

export function exportToDownload(reader: Reader, id: number): Export {
  const found = exportById(reader, id);
  if (!found || !isAvailable(found))
    throw new ApiError("BAD_REQUEST", problem("export_not_found"), {}, { status: 404 });
  return found;
}
