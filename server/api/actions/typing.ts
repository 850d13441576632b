import type { Store } from "../../storage/store.ts";
import type { EventShapes, Reader } from "../../storage/transaction.ts";
import type { Destination } from "../access/destinations.ts";
import { apiEmail } from "../access/email-visibility.ts";
import { usersNotifiedOfEditing, usersNotifiedOfTyping } from "../access/typing.ts";
import type { MessageRow } from "../queries/messages.ts";
import { type User, userById } from "../queries/users.ts";

/** Sends events that are not stored. */
interface Outlet {
  reader: Reader;
  announce: Store["announce"];
}

type TypingOp = "start" | "stop";

const named = (reader: Reader, id: number) => ({
  user_id: id,
  email: apiEmail(reader, userById(reader, id) as User),
});

export function announceTyping({ reader, announce }: Outlet, writer: User, op: TypingOp, to: Destination): void {
  const users = usersNotifiedOfTyping(reader, writer, to);
  if (users.length === 0) return;
  const sender = named(reader, writer.id);
  if ("channel" in to) {
    const { channel, topic } = to;
    announce({ type: "typing", op, message_type: "stream", sender, stream_id: channel.id, topic }, { users });
    return;
  }
  const recipients = to.userIds.map((id) => named(reader, id));
  announce({ type: "typing", op, message_type: "direct", sender, recipients }, { users });
}

export function announceEditing(
  { reader, announce }: Outlet,
  writer: User,
  op: TypingOp,
  { row, to }: { row: MessageRow; to: Destination },
): void {
  const users = usersNotifiedOfEditing(reader, writer, row, to);
  if (users.length === 0) return;
  const recipient: EventShapes["typing_edit_message"]["recipient"] =
    "channel" in to
      ? { type: "channel", channel_id: to.channel.id, topic: to.topic }
      : { type: "direct", user_ids: [...to.userIds] };
  announce({ type: "typing_edit_message", op, sender_id: writer.id, message_id: row.id, recipient }, { users });
}
