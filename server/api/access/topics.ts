import { badRequest, shortened, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Channel, channelById, channelByName } from "../queries/channels.ts";
import { newestInTopic } from "../queries/messages.ts";
import {
  hasPoliciesIn,
  MAX_TOPIC_POLICIES,
  POLICY,
  topicFromInput,
  topicId,
  topicPolicy,
  topicPolicyCount,
} from "../queries/topics.ts";
import { ROLES, type User } from "../queries/users.ts";
import { canSeeChannel, invalidChannel, readableHistory } from "./channels.ts";
import { validTopic } from "./destinations.ts";
import { messageVisibility } from "./messages.ts";

/** The topic needs no messages. A viewer can remove a policy in a channel that they can no longer see. */
export function topicToSetPolicyOf(
  reader: Reader,
  viewer: User,
  { named, topic, takesBack }: { named: number | string; topic: string; takesBack: boolean },
): { channel: Channel; topic: string } {
  const channel = typeof named === "number" ? channelById(reader, named) : channelByName(reader, named);
  const allowed =
    channel &&
    (canSeeChannel(reader, viewer, channel) ||
      (takesBack && typeof named === "number" && hasPoliciesIn(reader, viewer.id, channel.id)));
  if (!allowed) throw invalidChannel(named);
  const isNew = !takesBack && topicPolicy(reader, viewer.id, channel.id, topicFromInput(topic)) === POLICY.none;
  if (isNew && topicPolicyCount(reader, viewer.id) >= MAX_TOPIC_POLICIES)
    throw badRequest("too_many_topic_policies", { count: MAX_TOPIC_POLICIES });
  return { channel, topic: validTopic(topic) };
}

/** A channel in which the viewer can read at least some messages. */
export function channelToReadIn(reader: Reader, viewer: User, id: number): Channel {
  const channel = channelById(reader, id);
  if (!channel || readableHistory(reader, viewer, channel) === "none") throw invalidChannel(id);
  return channel;
}

export const mayNotDeleteTopics = () => unauthorizedPrincipal("topic_delete_administrators_only");

/** Only the topics that the viewer can read. */
export function channelToDeleteTopicsIn(reader: Reader, viewer: User, id: number): Channel {
  if (viewer.role > ROLES.administrator) throw mayNotDeleteTopics();
  return channelToReadIn(reader, viewer, id);
}

/** The number of a topic in which the viewer can read a message. */
export function topicToRead(reader: Reader, viewer: User, channel: Channel, topic: string): number {
  const number = topicId(reader, channel.id, topicFromInput(topic));
  if (number === undefined || readableIn(reader, viewer, channel, number, 1).length === 0)
    throw badRequest("topic_not_found", { topic: shortened(topic) });
  return number;
}

/** The newest readable messages of a topic, newest first. */
export function readableIn(reader: Reader, viewer: User, channel: Channel, topic: number, limit: number): number[] {
  const visibility = messageVisibility(reader, viewer);
  const everything = readableHistory(reader, viewer, channel) === "all";
  return newestInTopic(reader, topic, everything ? limit : undefined)
    .filter((id) => visibility.sees(id))
    .slice(0, limit);
}
