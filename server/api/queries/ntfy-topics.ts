import type { Reader } from "../../storage/transaction.ts";

/** A person's ntfy topic. Its name follows from secret.key, the user and the generation. */
export interface NtfyTopic {
  user_id: number;
  generation: number;
  is_on: 0 | 1;
}

/** Undefined if the person never had one. */
export const ntfyTopicOf = (reader: Reader, userId: number): NtfyTopic | undefined =>
  reader
    .derived("ntfy topics", ["ntfy_topics"], (rows) => {
      const topics = rows.all<NtfyTopic>("SELECT user_id, generation, is_on FROM ntfy_topics");
      return new Map(topics.map((topic) => [topic.user_id, topic]));
    })
    .get(userId);
