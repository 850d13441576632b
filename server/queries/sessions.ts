import type { Reader } from "../storage/transaction.ts";
import type { User } from "./users.ts";

export interface Session {
  /** SHA-256 of the cookie's token. */
  digest: string;
  user_id: number;
  /** The user's when the session began: a session of an earlier generation is void. */
  key_generation: number;
  /** Milliseconds since the epoch. */
  created_at: number;
  expires_at: number;
  /** The User-Agent header of the sign-in; empty where it is not known. */
  user_agent: string;
}

const COLUMNS = "digest, user_id, key_generation, created_at, expires_at, user_agent";

/** The session whose token has this digest; expired ones too. */
export const sessionByDigest = (reader: Reader, digest: string): Session | undefined =>
  reader.get<Session>(`SELECT ${COLUMNS} FROM sessions WHERE digest = ?`, digest);

/** The session whose digest begins so; expired ones too. `~` comes after every character of a digest. */
export const sessionByBeginning = (reader: Reader, beginning: string): Session | undefined =>
  reader.get<Session>(
    `SELECT ${COLUMNS} FROM sessions WHERE digest >= ? AND digest < ? || '~' ORDER BY digest LIMIT 1`,
    beginning,
    beginning,
  );

/** The user's sessions that are good at `now`, newest first; times in milliseconds since the epoch. */
export const sessionsOf = (reader: Reader, user: User, now: number): Session[] =>
  reader.all<Session>(
    `SELECT ${COLUMNS} FROM sessions WHERE user_id = ? AND key_generation = ? AND expires_at > ?
     ORDER BY created_at DESC, digest`,
    user.id,
    user.key_generation,
    now,
  );

/** When the user last signed in from this address, in milliseconds since the epoch. */
export const lastSignInFrom = (reader: Reader, userId: number, address: string): number | undefined =>
  reader.value("SELECT last_at FROM sign_in_addresses WHERE user_id = ? AND address = ?", userId, address);
