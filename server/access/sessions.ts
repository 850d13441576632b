import { createHash, randomBytes } from "node:crypto";
import { isDeactivated } from "../queries/organization.ts";
import { sessionByDigest } from "../queries/sessions.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

export const SESSION_SECONDS = 14 * 24 * 3600;

/** The content of a cookie: 32 random bytes. Only their digest is stored. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url");

export const sessionDigest = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** The user of the session with this token; undefined if it is unknown, expired or void. */
export function viewerBySession(reader: Reader, token: string, now: number): User | undefined {
  const session = sessionByDigest(reader, sessionDigest(token));
  if (!session) return undefined;
  const user = userById(reader, session.user_id);
  if (!user?.is_active || session.expires_at <= now || user.key_generation !== session.key_generation) return undefined;
  return isDeactivated(reader) ? undefined : user;
}
