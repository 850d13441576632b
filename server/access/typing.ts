import { badRequest } from "../errors.ts";
import type { MessageRow } from "../queries/messages.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { isSystemBot } from "../queries/system-bots.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import type { Destination } from "./destinations.ts";
import { usersWhoCanRead } from "./messages.ts";
import { canSeeUser, usersWhoCannotSee } from "./people.ts";

/** In a larger channel nobody is told who types (docs/protocol.md#typing). */
const MAX_SUBSCRIBERS = 100;

/** Refuses who does not want others to know. */
export function assertSendsTyping(reader: Reader, viewer: User, { direct }: { direct: boolean }): void {
  const name = direct ? "send_private_typing_notifications" : "send_stream_typing_notifications";
  if (userSetting(reader, viewer.id, name)) return;
  throw badRequest(`Your setting ${name} says that nobody is to know when you type.`);
}

const wantsIt = (reader: Reader, id: number): boolean => userSetting(reader, id, "receives_typing_notifications");

/** Who is told that somebody writes there: those who will get the message and want to know, in a channel of moderate size. */
export function usersNotifiedOfTyping(reader: Reader, writer: User, to: Destination): number[] {
  if ("channel" in to) return subscribersWhoHear(reader, writer, to.channel.id);
  const people = to.userIds.map((id) => userById(reader, id) as User);
  // Nobody learns of people by what is never sent.
  return people
    .filter((one) => one.is_active && !isSystemBot(one) && people.every((other) => canSeeUser(reader, one, other)))
    .map(({ id }) => id)
    .filter((id) => id !== writer.id && wantsIt(reader, id));
}

function subscribersWhoHear(reader: Reader, writer: User, channelId: number): number[] {
  const { ids } = subscribersOf(reader, channelId);
  if (ids.length > MAX_SUBSCRIBERS) return [];
  const keptOut = new Set([writer.id, ...usersWhoCannotSee(reader, writer)]);
  return ids.filter((id) => !keptOut.has(id) && wantsIt(reader, id));
}

/** Who is told that somebody edits the message: of those who hear of typing there, who may read it. */
export function usersNotifiedOfEditing(reader: Reader, writer: User, row: MessageRow, to: Destination): number[] {
  const hearing = usersNotifiedOfTyping(reader, writer, to);
  if (hearing.length === 0) return hearing;
  const readers = new Set(usersWhoCanRead(reader, row));
  return hearing.filter((id) => readers.has(id));
}
