import { badRequest, missingParameter, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { Channel } from "../queries/channels.ts";
import { MAX_TOPIC_LENGTH, topicFromInput } from "../queries/topics.ts";
import type { User } from "../queries/users.ts";
import { allowedTopic, channelToPostIn } from "./channels.ts";
import { participantsToWriteTo } from "./direct-messages.ts";

/** Where a message goes. `userIds`: all participants of the conversation, the sender included. */
export type Destination = { channel: Channel; topic: string } | { userIds: readonly number[] };

/** The spellings of a message's type, old and new. */
export const MESSAGE_TYPES = ["direct", "channel", "stream", "private"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
export const isDirect = (type: MessageType): boolean => type === "direct" || type === "private";

/** The destination if the sender may write to it now. Scheduled messages are checked again when due. */
export function destinationToWriteTo(
  reader: Reader,
  sender: User,
  { direct, to, topic }: { direct: boolean; to: readonly (string | number)[]; topic: string | undefined },
): Destination {
  if (direct) return { userIds: participantsToWriteTo(reader, sender, to).map(({ id }) => id) };
  const [name, ...more] = to;
  if (name === undefined) throw missingParameter("to");
  if (more.length > 0) throw badRequest("A channel message goes to one channel.");
  if (topic === undefined) throw missingParameter("topic");
  const channel = channelToPostIn(reader, sender, name);
  return { channel, topic: allowedTopic(reader, channel, validTopic(topic)) };
}

const CONTROL_CHARACTERS = /\p{Cc}/u;

/** A topic as it is stored, or an error that says what is wrong with it. */
export function validTopic(input: string): string {
  const topic = topicFromInput(input);
  if ([...topic].length > MAX_TOPIC_LENGTH)
    throw refusedParameter("topic", `topic is too long: at most ${MAX_TOPIC_LENGTH} characters.`);
  if (CONTROL_CHARACTERS.test(topic))
    throw refusedParameter("topic", "topic must be one line without control characters.");
  return topic;
}
