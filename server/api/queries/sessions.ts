import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

export interface Session {
  /** SHA-256 of the cookie's token. */
  digest: string;
  user_id: number;
  /** The user's generation at sign-in. A session of an earlier generation is invalid. */
  key_generation: number;
  /** Milliseconds since the epoch. */
  created_at: number;
  expires_at: number;
  /** The User-Agent header of the sign-in; empty if there was none. */
  user_agent: string;
}

const COLUMNS = "digest, user_id, key_generation, created_at, expires_at, user_agent";

/** The session whose token has this digest, even if it has expired. */
export const sessionByDigest = (reader: Reader, digest: string): Session | undefined =>
  reader.get<Session>(`SELECT ${COLUMNS} FROM sessions WHERE digest = ?`, digest);

/** The session whose digest has this prefix, even if it has expired. `~` sorts after all characters of a digest. */
export const sessionByBeginning = (reader: Reader, beginning: string): Session | undefined =>
  reader.get<Session>(
    `SELECT ${COLUMNS} FROM sessions WHERE digest >= ? AND digest < ? || '~' ORDER BY digest LIMIT 1`,
    beginning,
    beginning,
  );

/** The user's sessions that are valid at `now`, newest first. Times in milliseconds since the epoch. */
export const sessionsOf = (reader: Reader, user: User, now: number): Session[] =>
  reader.all<Session>(
    `SELECT ${COLUMNS} FROM sessions WHERE user_id = ? AND key_generation = ? AND expires_at > ?
     ORDER BY created_at DESC, digest`,
    user.id,
    user.key_generation,
    now,
  );

/** The sessions of one person. */
export interface SignIns {
  user_id: number;
  browsers: number;
  /** The time of the latest sign-in, in milliseconds since the epoch. */
  newest_at: number;
}

/** All users with valid sessions at `now`, by id. `now`: milliseconds since the epoch. */
export const signInsOfAll = (reader: Reader, now: number): SignIns[] =>
  reader.all<SignIns>(
    `SELECT sessions.user_id, COUNT(*) AS browsers, MAX(sessions.created_at) AS newest_at
     FROM sessions JOIN users ON users.id = sessions.user_id
     WHERE sessions.expires_at > ? AND sessions.key_generation = users.key_generation AND users.is_active = 1
     GROUP BY sessions.user_id ORDER BY sessions.user_id`,
    now,
  );

/** The users of sessions that have expired at `now`, by id. */
export const usersWithExpiredSessions = (reader: Reader, now: number): number[] =>
  reader.values<number>("SELECT DISTINCT user_id FROM sessions WHERE expires_at <= ? ORDER BY user_id", now);

/** The user's last sign-in from this source (http/caller.ts), in milliseconds since the epoch. */
export const lastSignInFrom = (reader: Reader, userId: number, source: string): number | undefined =>
  reader.value("SELECT last_at FROM sign_in_addresses WHERE user_id = ? AND address = ?", userId, source);

export interface SignInLink {
  user_id: number;
  /** The user's generation when the link was created. A link of an earlier generation is invalid. */
  key_generation: number;
  made_by: number;
  /** Milliseconds since the epoch. */
  expires_at: number;
}

/** The link whose token has this digest, even if it has expired. */
export const signInLinkByDigest = (reader: Reader, digest: string): SignInLink | undefined =>
  reader.get<SignInLink>(
    "SELECT user_id, key_generation, made_by, expires_at FROM sign_in_links WHERE digest = ?",
    digest,
  );
