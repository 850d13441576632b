import { badRequest, missingParameter, refusedParameter, shortened } from "../../errors.ts";
import { messageUrl } from "../../markdown/urls.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { Channel } from "../queries/channels.ts";
import { conversationOf } from "../queries/conversations.ts";
import { organizationSetting } from "../queries/organization.ts";
import { MAX_TOPIC_LENGTH, topicFromInput } from "../queries/topics.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import type { User } from "../queries/users.ts";
import { allowedTopic, channelToPostIn } from "./channels.ts";
import { canSeeUser, userNamed } from "./people.ts";

/** Per direct message. Each recipient costs a row in a new conversation. */
export const MAX_RECIPIENTS = 1000;

interface Target {
  direct: boolean;
  to: readonly (string | number)[];
  topic: string | undefined;
  /** Accepts deactivated recipients, for notifications that only the others get. */
  deactivatedToo?: boolean;
}

/** All participants, including the sender, sorted by ID. Throws if the sender cannot write to one of them. */
function participantsToWriteTo(reader: Reader, sender: User, { to, deactivatedToo = false }: Target): User[] {
  if (to.length === 0) throw badRequest("recipients_required");
  const names = new Set(to);
  if (names.size > MAX_RECIPIENTS) throw refusedParameter("to", "too_many_recipients", { count: MAX_RECIPIENTS });
  const participants = new Map([[sender.id, sender]]);
  for (const name of names) {
    const user = userNamed(reader, sender, name);
    if (!user || !canSeeUser(reader, sender, user))
      throw typeof name === "number"
        ? badRequest("invalid_user_id", { id: name })
        : badRequest("user_email_not_found", { email: shortened(name) });
    if (!user.is_active && !deactivatedToo) throw badRequest("recipient_deactivated", { name: user.full_name });
    participants.set(user.id, user);
  }
  const everyone = [...participants.values()].sort((a, b) => a.id - b.id);
  const others = everyone.filter((user) => user.id !== sender.id);
  // Messages to yourself and to bots need no permission.
  if (others.every((user) => user.is_bot)) return everyone;
  const permitted = organizationSetting(reader, "direct_message_permission_group");
  if (!everyone.some((user) => isInGroup(reader, user, permitted))) {
    throw badRequest("direct_messages_not_permitted");
  }
  const isNew = conversationOf(reader, participants.keys()) === undefined;
  if (isNew && !isInGroup(reader, sender, organizationSetting(reader, "direct_message_initiator_group"))) {
    throw badRequest("start_conversation_not_permitted");
  }
  return everyone;
}

/** `userIds`: all participants of the conversation, including the sender. */
export type Destination = { channel: Channel; topic: string } | { userIds: readonly number[] };

/** Current and legacy names of message types. */
export const MESSAGE_TYPES = ["direct", "channel", "stream", "private"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
export const isDirect = (type: MessageType): boolean => type === "direct" || type === "private";

/** Scheduled messages are checked again when they are due. */
export function destinationToWriteTo(reader: Reader, sender: User, target: Target): Destination {
  const { direct, to, topic } = target;
  if (direct) return { userIds: participantsToWriteTo(reader, sender, target).map(({ id }) => id) };
  const [name, ...more] = to;
  if (name === undefined) throw missingParameter("to");
  if (more.length > 0) throw badRequest("one_channel_required");
  if (topic === undefined) throw missingParameter("topic");
  const channel = channelToPostIn(reader, sender, name);
  return { channel, topic: allowedTopic(reader, channel, validTopic(topic)) };
}

const CONTROL_CHARACTERS = /\p{Cc}/u;

export function validTopic(input: string): string {
  const topic = topicFromInput(input);
  const { length } = [...topic];
  if (length > MAX_TOPIC_LENGTH) throw refusedParameter("topic", "topic_too_long", { count: MAX_TOPIC_LENGTH, length });
  if (CONTROL_CHARACTERS.test(topic)) throw refusedParameter("topic", "topic_control_characters");
  return topic;
}

/** The location of a message in the chat page, relative to the server, as `viewer` sees it. */
export function addressOfMessage(id: number, to: Destination, viewer: User): string {
  if ("channel" in to) return messageUrl(to.channel, to.topic, id);
  const others = to.userIds.filter((member) => member !== viewer.id);
  if (others.length === 0) others.push(viewer.id);
  return `/#narrow/dm/${others.join(",")}-${others.length > 1 ? "group" : "dm"}/near/${id}`;
}
