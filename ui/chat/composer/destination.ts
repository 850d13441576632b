import type { Narrow } from "../model/narrow.ts";
import type { Destination } from "../model/outbox.ts";

/** Where a message goes that is written in a narrow; undefined in lists of messages from many places. */
export function destinationOf(narrow: Narrow, topic: string): Destination | undefined {
  if (narrow.kind === "topic") return { channelId: narrow.channelId, topic: narrow.topic };
  if (narrow.kind === "channel") return { channelId: narrow.channelId, topic: topic.trim() };
  if (narrow.kind === "direct") return { userIds: narrow.userIds };
  return undefined;
}
