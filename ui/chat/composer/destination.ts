import type { DraftNarrow } from "../model/drafts.ts";
import type { Destination } from "../model/outbox.ts";

/** Where a message goes that is written in a conversation, or in a channel with this topic. */
export function destinationOf(narrow: DraftNarrow, topic: string): Destination {
  if (narrow.kind === "topic") return { channelId: narrow.channelId, topic: narrow.topic };
  if (narrow.kind === "channel") return { channelId: narrow.channelId, topic: topic.trim() };
  return { userIds: narrow.userIds };
}
