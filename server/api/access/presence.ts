import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { shownPresence } from "../queries/presence.ts";
import type { User } from "../queries/users.ts";
import { userToSee } from "./user-permissions.ts";

/** A user, named by id or address, whose presence is known. Hidden and unknown presence get the same error. */
export function userWithPresence(reader: Reader, viewer: User, named: string, now: number): User {
  const user = userToSee(reader, viewer, /^\d{1,15}$/.test(named) ? Number(named) : named);
  if (user.is_bot) throw badRequest("Presence is not kept of bots.");
  if (!shownPresence(reader, user, now)) throw badRequest("Nothing is known of this user's presence.");
  return user;
}
