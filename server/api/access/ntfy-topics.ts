import type { NtfyTopics } from "../../host/credentials/derived-keys.ts";
import type { Reader } from "../../storage/transaction.ts";
import { ntfyTopicOf } from "../queries/ntfy-topics.ts";
import { isDeactivated } from "../queries/organization.ts";
import { type User, userById } from "../queries/users.ts";

/** The person with this generation of a topic, if it is on and they may read. */
export function subscriberOf(
  reader: Reader,
  { user_id, generation }: { user_id: number; generation: number },
): User | undefined {
  const topic = ntfyTopicOf(reader, user_id);
  if (!topic?.is_on || topic.generation !== generation) return undefined;
  const user = userById(reader, user_id);
  return user?.is_active && !user.is_bot && !isDeactivated(reader) ? user : undefined;
}

/** Undefined for unknown, revoked and malformed topics alike. Takes constant time. */
export function topicNamed(
  reader: Reader,
  topics: NtfyTopics,
  name: string,
): { user_id: number; generation: number } | undefined {
  const user_id = topics.userIdIn(name);
  const generation = ntfyTopicOf(reader, user_id)?.generation ?? 0;
  const isRight = topics.matches({ user_id, generation }, name);
  return isRight && subscriberOf(reader, { user_id, generation }) ? { user_id, generation } : undefined;
}
