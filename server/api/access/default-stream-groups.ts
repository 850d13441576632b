import { badRequest, quoted } from "../../errors.ts";
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
  if (!group) throw badRequest(`There is no default channel group with ID ${id}.`);
  return group;
}

export function freeGroupName(reader: Reader, name: string, self?: DefaultStreamGroup): string {
  const trimmed = name.trim().normalize("NFC");
  if (isBlank(trimmed)) throw badRequest("A default channel group needs a name.");
  if (UNPRINTABLE.test(trimmed)) throw badRequest("A group's name cannot contain control characters.");
  const existing = defaultStreamGroupByName(reader, trimmed);
  if (existing !== undefined && existing !== self?.id)
    throw badRequest(`There is a default channel group ${trimmed} already.`);
  return trimmed;
}

/** The channels without duplicates. Throws for a channel that the viewer cannot see. */
export function channelsOfGroup(reader: Reader, viewer: User, names: readonly string[]): Channel[] {
  const channels = new Map<number, Channel>();
  for (const name of names) {
    const channel = channelByName(reader, name.trim());
    if (!channel || !canSeeChannel(reader, viewer, channel)) throw badRequest(`Invalid channel name ${quoted(name)}`);
    channels.set(channel.id, channel);
  }
  return [...channels.values()];
}

/** All members can see the channels of a group, so private channels are not allowed. */
export function channelsToGroup(reader: Reader, viewer: User, names: readonly string[]): Channel[] {
  const channels = channelsOfGroup(reader, viewer, names);
  for (const { name, is_archived, invite_only, is_default } of channels) {
    if (is_archived) throw badRequest(`The channel ${name} is archived.`);
    if (invite_only) throw badRequest(`The channel ${name} is private: it cannot be in a default channel group.`);
    if (is_default) throw badRequest(`The channel ${name} is a default channel: it needs no group.`);
  }
  return channels;
}
