import { createHash, randomBytes } from "node:crypto";
import { badRequest } from "../../errors.ts";
import { isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isDeactivated } from "../queries/organization.ts";
import { type Session, type SignIns, sessionByBeginning, sessionByDigest, signInsOfAll } from "../queries/sessions.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { mayChange, userToChange } from "./users.ts";

export const SESSION_SECONDS = 14 * 24 * 3600;

/** The cookie's value. Only its digest is stored. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url");

export const sessionDigest = (token: string): string => createHash("sha256").update(token).digest("base64url");

const ID_LENGTH = 16;

/** The start of the digest. It cannot be used to sign in. */
export const sessionId = ({ digest }: Pick<Session, "digest">): string => digest.slice(0, ID_LENGTH);

/** The viewer's own session, or a session of a user whom they can change. */
export function sessionToEnd(reader: Reader, viewer: User, id: string): Session {
  const session = id.length === ID_LENGTH ? sessionByBeginning(reader, id) : undefined;
  const isOwn = session?.user_id === viewer.id;
  if (!session || !(isOwn || viewer.role <= ROLES.administrator)) throw badRequest("session_not_found");
  if (!isOwn) userToChange(reader, viewer, session.user_id);
  return session;
}

/** Sign-ins of the users whom the viewer can change. */
export const signInsToSee = (reader: Reader, viewer: User, now: number): SignIns[] =>
  signInsOfAll(reader, now).filter(({ user_id }) => mayChange(viewer, userById(reader, user_id) as User));

/** Undefined if the session is unknown, expired or void. */
export function viewerBySession(reader: Reader, token: string, now: number): User | undefined {
  const session = sessionByDigest(reader, sessionDigest(token));
  if (!session) return undefined;
  const user = userById(reader, session.user_id);
  // Created while the clock was ahead, so it would last too long.
  if (session.expires_at <= now || isAhead(session.created_at, now)) return undefined;
  if (!user?.is_active || user.key_generation !== session.key_generation) return undefined;
  return isDeactivated(reader) ? undefined : user;
}
