import type { Reader } from "../storage/transaction.ts";
import type { RegisterPart } from "./register-context.ts";

/** What clients without `empty_topic_name` see in place of the empty topic. */
export const EMPTY_TOPIC_DISPLAY_NAME = "general chat";

/** Unicode code points. */
export const MAX_TOPIC_LENGTH = 60;

/** A topic as it is kept: both names of the empty topic come in as "" (spec/interface.md, conventions, 8). */
export function topicFromInput(topic: string): string {
  const trimmed = topic.trim();
  return trimmed === "(no topic)" || trimmed === EMPTY_TOPIC_DISPLAY_NAME ? "" : trimmed;
}

export const displayedTopic = (topic: string, allowEmpty: boolean): string =>
  topic === "" && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;

/** The form in which topics are compared. */
export const topicKey = (topic: string): string => topic.normalize("NFC").toLowerCase();

/** The number of a topic of a channel; undefined where it never had a message. */
export const topicId = (reader: Reader, channelId: number, topic: string): number | undefined =>
  reader.value<number>("SELECT id FROM topics WHERE channel_id = ? AND name_key = ?", channelId, topicKey(topic));

/** The numbers of all topics of that name, whatever their channels. */
export const topicIdsNamed = (reader: Reader, topic: string): Set<number> =>
  new Set(reader.all<{ id: number }>("SELECT id FROM topics WHERE name_key = ?", topicKey(topic)).map(({ id }) => id));

export const registerParts: Record<string, RegisterPart> = {
  user_topic: () => ({ user_topics: [] }),
  muted_topics: ({ fetches }) => (fetches("user_topic") ? {} : { muted_topics: [] }),
};
