import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import type { User } from "../queries/users.ts";
import { userToSee } from "./user-permissions.ts";

/** Somebody whose status the viewer may set: administrators may set that of any person. */
export function userToGiveStatus(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  // The server's own bots get the error of a user who does not exist.
  if (isSystemBot(user)) return userToSee(reader, viewer, 0);
  if (user.is_bot) throw badRequest("Bots have no status.");
  if (!user.is_active) throw badRequest("This user is deactivated.");
  return user;
}
