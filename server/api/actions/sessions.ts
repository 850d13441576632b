import type { Transaction } from "../../storage/transaction.ts";
import { SESSION_SECONDS, sessionDigest } from "../access/sessions.ts";
import { usersWhoMayChange } from "../access/users.ts";
import { lastSignInFrom, type Session, sessionByDigest, usersWithExpiredSessions } from "../queries/sessions.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

export interface NewSession {
  /** The content of the cookie. */
  token: string;
  /** The request's User-Agent header. */
  userAgent: string;
}

const MAX_USER_AGENT_LENGTH = 300;

/** Signs the user in. This is not an administrative change, so the audit does not record it. */
export function createSession(tx: Transaction, user: User, { token, userAgent }: NewSession): void {
  tx.run(
    `INSERT INTO sessions (digest, user_id, key_generation, created_at, expires_at, user_agent)
     VALUES (?, ?, ?, ?, ?, ?)`,
    sessionDigest(token),
    user.id,
    user.key_generation,
    tx.now,
    tx.now + SESSION_SECONDS * 1000,
    userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  );
  announceSignIns(tx, user.id);
}

/** Tells those who may change the user, in Hearth's own pages, that they are signed in with other browsers. */
function announceSignIns(tx: Transaction, user_id: number): void {
  const users = usersWhoMayChange(tx, userById(tx, user_id) as User);
  tx.emit({ type: "sign_ins", op: "update", user_id }, { users });
}

/** Signs out. Does nothing if there is no session with this token. */
export function endSession(tx: Transaction, token: string): void {
  const session = sessionByDigest(tx, sessionDigest(token));
  if (!session) return;
  tx.run("DELETE FROM sessions WHERE digest = ?", session.digest);
  announceSignIns(tx, session.user_id);
}

/** Signs the user out of all browsers. */
export function endSessionsOf(tx: Transaction, user: User): void {
  if (tx.value("SELECT digest FROM sessions WHERE user_id = ? LIMIT 1", user.id) === undefined) return;
  tx.run("DELETE FROM sessions WHERE user_id = ?", user.id);
  announceSignIns(tx, user.id);
}

/** Signs a browser out from elsewhere. */
export function endOneSession(tx: Transaction, actor: User, { digest, user_id }: Session): void {
  tx.run("DELETE FROM sessions WHERE digest = ?", digest);
  announceSignIns(tx, user_id);
  recordAudit(tx, actor, { action: "end session", target: `user ${user_id}` });
}

export function deleteExpiredSessions(tx: Transaction): void {
  const userIds = usersWithExpiredSessions(tx, tx.now);
  if (userIds.length === 0) return;
  tx.run("DELETE FROM sessions WHERE expires_at <= ?", tx.now);
  for (const id of userIds) announceSignIns(tx, id);
}

const DAY_MS = 24 * 3600 * 1000;
/** A source from which nobody signs in for so long is forgotten. */
const ADDRESS_KEPT_MS = 90 * DAY_MS;
const MAX_ADDRESSES = 20;

/**
 * Guesses of others no longer slow down this person at this source (http/caller.ts, http/throttle.ts). Written at most
 * once a day, since apps sign in often. Where there are too many, the source used longest ago is forgotten.
 */
export function rememberAddress(tx: Transaction, user: User, source: string): void {
  if (Math.abs(tx.now - (lastSignInFrom(tx, user.id, source) ?? 0)) < DAY_MS) return;
  tx.run(
    "INSERT INTO sign_in_addresses (user_id, address, last_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last_at = excluded.last_at",
    user.id,
    source,
    tx.now,
  );
  tx.run(
    `DELETE FROM sign_in_addresses WHERE user_id = ? AND address IN (
       SELECT address FROM sign_in_addresses WHERE user_id = ? ORDER BY last_at DESC, address LIMIT -1 OFFSET ?)`,
    user.id,
    user.id,
    MAX_ADDRESSES,
  );
}

export function deleteOldAddresses(tx: Transaction): void {
  const since = tx.now - ADDRESS_KEPT_MS;
  if (tx.value("SELECT user_id FROM sign_in_addresses WHERE last_at <= ? LIMIT 1", since) === undefined) return;
  tx.run("DELETE FROM sign_in_addresses WHERE last_at <= ?", since);
}

/**
 * Signs a user out everywhere, and voids links by which they could set a password. No address counts as theirs any
 * more: who knew the password may have signed in from some.
 */
export function endSessions(tx: Transaction, user: User): void {
  endSessionsOf(tx, user);
  tx.run("DELETE FROM sign_in_links WHERE user_id = ?", user.id);
  tx.run("DELETE FROM sign_in_addresses WHERE user_id = ?", user.id);
}

/** Voids all keys and sessions of a user. Returns the user with the new key generation. */
export function endCredentials(tx: Transaction, user: User): User {
  tx.run("UPDATE users SET key_generation = key_generation + 1 WHERE id = ?", user.id);
  endSessions(tx, user);
  return userById(tx, user.id) as User;
}

/** Replaces a key that others may know. Voids the old key and all sessions. */
export function replaceKey(tx: Transaction, actor: User, user: User): User {
  const action = actor.id === user.id ? "regenerate API key" : "revoke API key";
  recordAudit(tx, actor, { action, target: `user ${user.id}` });
  return endCredentials(tx, user);
}

/** `hash`: from passwords.hash, made before the transaction. Voids all keys and sessions. */
export function changePassword(tx: Transaction, actor: User, user: User, hash: string): User {
  tx.run("UPDATE users SET password_hash = ? WHERE id = ?", hash, user.id);
  recordAudit(tx, actor, { action: "change password", target: `user ${user.id}` });
  return endCredentials(tx, user);
}
