import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import type { MessageRow } from "../queries/messages.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import type { Destination } from "./destinations.ts";
import { usersWhoCanRead } from "./messages.ts";
import { canSeeUser, usersWhoCannotSee } from "./people.ts";

/** Larger channels get no typing notifications (docs/protocol.md#typing). */
const MAX_SUBSCRIBERS = 100;

/** Throws if the viewer's settings turn typing notifications off. */
export function assertSendsTyping(reader: Reader, viewer: User, { direct }: { direct: boolean }): void {
  const name = direct ? "send_private_typing_notifications" : "send_stream_typing_notifications";
  if (userSetting(reader, viewer.id, name)) return;
  throw badRequest(direct ? "direct_typing_disabled" : "channel_typing_disabled");
}

const wantsNotifications = (reader: Reader, id: number): boolean =>
  userSetting(reader, id, "receives_typing_notifications");

/**
 * Users who would receive the message and want notifications: the writer too, for their other clients. Empty for large
 * channels.
 */
export function usersNotifiedOfTyping(reader: Reader, writer: User, to: Destination): number[] {
  if ("channel" in to) return subscribersNotified(reader, writer, to.channel.id);
  const people = to.userIds.map((id) => userById(reader, id) as User);
  // All participants must see each other, so that typing does not reveal hidden users.
  return people
    .filter((one) => one.is_active && !isSystemBot(one) && people.every((other) => canSeeUser(reader, one, other)))
    .map(({ id }) => id)
    .filter((id) => wantsNotifications(reader, id));
}

function subscribersNotified(reader: Reader, writer: User, channelId: number): number[] {
  const { ids } = subscribersOf(reader, channelId);
  if (ids.length > MAX_SUBSCRIBERS) return [];
  const excluded = new Set(usersWhoCannotSee(reader, writer));
  return ids.filter((id) => !excluded.has(id) && wantsNotifications(reader, id));
}

/** Users notified of typing there who can read the message. */
export function usersNotifiedOfEditing(reader: Reader, writer: User, row: MessageRow, to: Destination): number[] {
  const notified = usersNotifiedOfTyping(reader, writer, to);
  if (notified.length === 0) return notified;
  const readers = new Set(usersWhoCanRead(reader, row));
  return notified.filter((id) => readers.has(id));
}
