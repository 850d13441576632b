import type { Client } from "../api/client.ts";
import { isSameTopic } from "./folded.ts";

interface Topic {
  readonly channelId: number;
  readonly topic: string;
}

export interface Movement {
  /** Any message of the topic, or the first one that moves. */
  readonly messageId: number;
  readonly mode: "change_one" | "change_later" | "change_all";
  readonly from: Topic;
  readonly to: Topic;
  /** Whether a system message in the new topic reports the move; true if omitted. */
  readonly notifies?: boolean;
}

/** Moves messages. Returns a function that undoes it, unless they joined a topic: one request cannot separate them. */
export async function moveWithUndo(
  client: Client,
  { messageId, mode, from, to, notifies = true }: Movement,
): Promise<(() => Promise<unknown>) | undefined> {
  const move = (from: Topic, to: Topic, propagate_mode: Movement["mode"], send_notification_to_new_thread: boolean) =>
    client.call("PATCH /messages/{message_id}", {
      message_id: messageId,
      propagate_mode,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread,
      ...(to.topic !== from.topic && { topic: to.topic }),
      ...(to.channelId !== from.channelId && { stream_id: to.channelId }),
    });
  const isRename = to.channelId === from.channelId && isSameTopic(to.topic, from.topic);
  const isSeparable = mode === "change_one" || isRename || (await isUnused(client, to));
  await move(from, to, mode, notifies);
  const back = mode === "change_one" ? mode : "change_all";
  return isSeparable ? () => move(to, from, back, false) : undefined;
}

async function isUnused(client: Client, { channelId, topic }: Topic): Promise<boolean> {
  const { messages } = await client.call("GET /messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    narrow: [
      { operator: "channel", operand: channelId },
      { operator: "topic", operand: topic },
    ],
    allow_empty_topic_name: true,
  });
  return messages.length === 0;
}
