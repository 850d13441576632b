import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

/** The users whom the user has muted, by id. `muted_at`: milliseconds since the epoch. */
export const mutedUsersOf = (reader: Reader, user: User): { id: number; muted_at: number }[] =>
  reader.all("SELECT muted_user_id AS id, muted_at FROM muted_users WHERE user_id = ? ORDER BY muted_user_id", user.id);

const NOBODY: ReadonlySet<number> = new Set();

const muters = (reader: Reader): ReadonlyMap<number, ReadonlySet<number>> =>
  reader.derived("who has muted whom", ["muted_users"], (rows) => {
    const found = new Map<number, Set<number>>();
    for (const { user, muted } of rows.all<{ user: number; muted: number }>(
      "SELECT user_id AS user, muted_user_id AS muted FROM muted_users ORDER BY user_id, muted_user_id",
    )) {
      const users = found.get(muted);
      if (users) users.add(user);
      else found.set(muted, new Set([user]));
    }
    return found;
  });

/** Ids of the users who have muted this user. */
export const mutersOf = (reader: Reader, userId: number): ReadonlySet<number> => muters(reader).get(userId) ?? NOBODY;

export const hasMuted = (reader: Reader, userId: number, other: number): boolean => mutersOf(reader, other).has(userId);
