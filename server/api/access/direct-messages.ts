import { badRequest, quoted, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { conversationOf } from "../queries/conversations.ts";
import { organizationSetting } from "../queries/organization.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { type User, userByEmail, userById } from "../queries/users.ts";
import { apiEmail, deliveryEmail } from "./email-visibility.ts";
import { canSeeUser } from "./people.ts";
import { isSpectator, sendersShownToAll } from "./public-access.ts";

/**
 * The user whom a client names by id, login address or API email. A login address that is hidden from the viewer finds
 * nobody, so that trying addresses does not reveal whose they are. A spectator finds only the senders of messages that
 * they may read, by id.
 */
export function userNamed(reader: Reader, viewer: User, name: string | number): User | undefined {
  if (isSpectator(viewer))
    return typeof name === "number" && sendersShownToAll(reader).has(name) ? userById(reader, name) : undefined;
  if (typeof name === "number") return Number.isSafeInteger(name) ? userById(reader, name) : undefined;
  const id = /^user(\d{1,15})@/.exec(name.trim())?.[1];
  const hiding = id === undefined ? undefined : userById(reader, Number(id));
  if (hiding && apiEmail(reader, hiding) === name.trim()) return hiding;
  const user = userByEmail(reader, name);
  return user && deliveryEmail(reader, user, viewer) !== null ? user : undefined;
}

/** Of one direct message. Each recipient costs a row of a new conversation. */
export const MAX_RECIPIENTS = 1000;

/** All participants of the conversation, the sender included, by id, if the sender may write to them. */
export function participantsToWriteTo(reader: Reader, sender: User, to: readonly (string | number)[]): User[] {
  if (to.length === 0) throw badRequest("A direct message needs recipients.");
  const names = new Set(to);
  if (names.size > MAX_RECIPIENTS) throw refusedParameter("to", `to is too long: at most ${MAX_RECIPIENTS} people.`);
  const participants = new Map([[sender.id, sender]]);
  for (const name of names) {
    const user = userNamed(reader, sender, name);
    if (!user || !canSeeUser(reader, sender, user))
      throw badRequest(typeof name === "number" ? `Invalid user ID ${name}` : `Invalid email ${quoted(name)}`);
    if (!user.is_active) throw badRequest(`${user.full_name} is deactivated and receives no messages.`);
    participants.set(user.id, user);
  }
  const everyone = [...participants.values()].sort((a, b) => a.id - b.id);
  const others = everyone.filter((user) => user.id !== sender.id);
  // No permission is needed for writing to oneself and to bots.
  if (others.every((user) => user.is_bot)) return everyone;
  const permitted = organizationSetting(reader, "direct_message_permission_group");
  if (!everyone.some((user) => isInGroup(reader, user, permitted))) {
    throw badRequest("Direct messages are not allowed between you: insufficient permission.");
  }
  const isNew = conversationOf(reader, participants.keys()) === undefined;
  if (isNew && !isInGroup(reader, sender, organizationSetting(reader, "direct_message_initiator_group"))) {
    throw badRequest("You may not begin direct conversations: insufficient permission.");
  }
  return everyone;
}
