import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isSystemBot } from "../queries/bots.ts";
import { hasMuted } from "../queries/muted-users.ts";
import { type User, userById } from "../queries/users.ts";
import { userToSee } from "./user-permissions.ts";

/** The server's own bots cannot be muted: they get the error of a user who does not exist. */
function mutableUser(reader: Reader, viewer: User, id: number): User {
  const user = userToSee(reader, viewer, id);
  return isSystemBot(user) ? userToSee(reader, viewer, 0) : user;
}

/** Somebody else whom the viewer knows of and has not muted; deactivated users and bots too. */
export function userToMute(reader: Reader, viewer: User, id: number): User {
  if (id === viewer.id) throw badRequest("You cannot mute yourself.");
  const user = mutableUser(reader, viewer, id);
  if (hasMuted(reader, viewer.id, user.id)) throw badRequest("You have muted this user already.");
  return user;
}

/** Somebody whom the viewer has muted, hidden from them since or not. */
export function userToUnmute(reader: Reader, viewer: User, id: number): User {
  if (hasMuted(reader, viewer.id, id)) return userById(reader, id) as User;
  mutableUser(reader, viewer, id);
  throw badRequest("You have not muted this user.");
}
