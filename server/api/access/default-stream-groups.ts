import { badRequest, shortened } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Channel, channelByName } from "../queries/channels.ts";
import {
  type DefaultStreamGroup,
  defaultStreamGroupById,
  defaultStreamGroupByName,
} from "../queries/default-stream-groups.ts";
import type { User } from "../queries/users.ts";
import { canSeeChannel } from "./channels.ts";
import { isBlank, UNPRINTABLE } from "./names.ts";

export function defaultStreamGroupToChange(reader: Reader, id: number): DefaultStreamGroup {
  const group = defaultStreamGroupById(reader, id);
  if (!group) throw badRequest("default_channel_group_not_found", { id });
  return group;
}

export function freeGroupName(reader: Reader, name: string, self?: DefaultStreamGroup): string {
  const trimmed = name.trim().normalize("NFC");
  if (isBlank(trimmed)) throw badRequest("default_channel_group_name_required");
  if (UNPRINTABLE.test(trimmed)) throw badRequest("group_name_control_characters");
  const existing = defaultStreamGroupByName(reader, trimmed);
  if (existing !== undefined && existing !== self?.id)
    throw badRequest("default_channel_group_name_taken", { name: trimmed });
  return trimmed;
}

/** The channels without duplicates. Throws for a channel that the viewer cannot see. */
export function channelsOfGroup(reader: Reader, viewer: User, names: readonly string[]): Channel[] {
  const channels = new Map<number, Channel>();
  for (const name of names) {
    const channel = channelByName(reader, name.trim());
    if (!channel || !canSeeChannel(reader, viewer, channel))
      throw badRequest("channel_name_not_found", { name: shortened(name) });
    channels.set(channel.id, channel);
  }
  return [...channels.values()];
}

/** All members can see the channels of a group, so private channels are not allowed. */
export function channelsToGroup(reader: Reader, viewer: User, names: readonly string[]): Channel[] {
  const channels = channelsOfGroup(reader, viewer, names);
  for (const { name, is_archived, invite_only, is_default } of channels) {
    if (is_archived) throw badRequest("channel_archived", { channel: name });
    if (invite_only) throw badRequest("private_channel_in_default_group", { channel: name });
    if (is_default) throw badRequest("default_channel_in_group", { channel: name });
  }
  return channels;
}
