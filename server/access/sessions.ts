import { createHash, randomBytes } from "node:crypto";
import { isDeactivated } from "../queries/organization.ts";
import { sessionByDigest } from "../queries/sessions.ts";
import { type User, userById } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

export const SESSION_SECONDS = 14 * 24 * 3600;

/** What a cookie holds: 32 random bytes. Of it only the digest is kept. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url");

export const sessionDigest = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** Whose session the token is; undefined where it is unknown, over, or void since its user or the organization is. */
export function viewerBySession(reader: Reader, token: string, now: number): User | undefined {
  const session = sessionByDigest(reader, sessionDigest(token));
  if (!session) return undefined;
  const user = userById(reader, session.user_id);
  if (!user?.is_active || session.expires_at <= now || user.key_generation !== session.key_generation) return undefined;
  return isDeactivated(reader) ? undefined : user;
}
