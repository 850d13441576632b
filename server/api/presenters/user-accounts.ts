import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { canSeeChannel } from "../access/channels.ts";
import { channelById } from "../queries/channels.ts";
import { pendingMessageCount } from "../queries/scheduled-messages.ts";
import { subscriptionsOf } from "../queries/subscriptions.ts";
import type { User } from "../queries/users.ts";
import { sessionList, wireSession } from "./sessions.ts";

/** What GET /host/users/{user_id} answers. */
export const wireUserAccount = z.object({
  channel_ids: z.array(z.int()).describe("Of those channels that the caller sees; archived ones are left out."),
  sessions: z.array(wireSession).describe("Browsers that are signed in, newest first."),
  listening: z.int().describe("Apps and pages that wait for events, or did a short while ago."),
  scheduled_messages: z.int().describe("Messages and reminders that are still to be sent."),
});
export type WireUserAccount = z.output<typeof wireUserAccount>;

/**
 * `now`: milliseconds since the epoch. `listening`: from the event queues. `token`: what the caller's session cookie
 * holds. A deactivated person's channels are those that reactivation brings back.
 */
export const userAccount = (
  reader: Reader,
  viewer: User,
  user: User,
  { now, token, listening }: { now: number; token: string | undefined; listening: number },
): WireUserAccount => ({
  channel_ids: [...subscriptionsOf(reader, user.id).values()].flatMap(({ channel_id, subscribed }) => {
    const channel = subscribed ? channelById(reader, channel_id) : undefined;
    return channel && !channel.is_archived && canSeeChannel(reader, viewer, channel) ? [channel_id] : [];
  }),
  sessions: sessionList(reader, user, now, token),
  listening,
  scheduled_messages: pendingMessageCount(reader, user.id),
});
