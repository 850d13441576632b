import type { Transaction } from "../../storage/transaction.ts";
import { SESSION_SECONDS, sessionDigest } from "../access/sessions.ts";
import { usersWhoMayChange } from "../access/users.ts";
import { lastSignInFrom, type Session, sessionByDigest, usersWithExpiredSessions } from "../queries/sessions.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { turnNtfyOff } from "./ntfy-topics.ts";
import { insertRow } from "./rows.ts";
import { removeWebPushDevicesIn, removeWebPushDevicesOf } from "./web-push.ts";

export interface NewSession {
  /** The cookie's value. */
  token: string;
  /** The User-Agent header. */
  userAgent: string;
}

const MAX_USER_AGENT_LENGTH = 300;

/** Not an administrative change, so the audit does not record it. */
export function createSession(tx: Transaction, user: User, { token, userAgent }: NewSession): void {
  insertRow(tx, "sessions", {
    digest: sessionDigest(token),
    user_id: user.id,
    key_generation: user.key_generation,
    created_at: tx.now,
    expires_at: tx.now + SESSION_SECONDS * 1000,
    user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  });
  announceSignIns(tx, user.id);
}

/** For Hearth's own pages. */
function announceSignIns(tx: Transaction, user_id: number): void {
  const users = usersWhoMayChange(tx, userById(tx, user_id) as User);
  tx.emit({ type: "sign_ins", op: "update", user_id }, { users });
}

/** Does nothing if the session does not exist. */
export function endSession(tx: Transaction, token: string): void {
  const session = sessionByDigest(tx, sessionDigest(token));
  if (!session) return;
  tx.run("DELETE FROM sessions WHERE digest = ?", session.digest);
  removeWebPushDevicesIn(tx, session.digest);
  announceSignIns(tx, session.user_id);
}

function endSessionsOf(tx: Transaction, user: User): void {
  if (tx.value("SELECT digest FROM sessions WHERE user_id = ? LIMIT 1", user.id) === undefined) return;
  tx.run("DELETE FROM sessions WHERE user_id = ?", user.id);
  announceSignIns(tx, user.id);
}

/** For signing out from another browser. */
export function endOneSession(tx: Transaction, actor: User, { digest, user_id }: Session): void {
  tx.run("DELETE FROM sessions WHERE digest = ?", digest);
  removeWebPushDevicesIn(tx, digest);
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
/** After this time without a sign-in, a source is forgotten. */
const ADDRESS_KEPT_MS = 90 * DAY_MS;
const MAX_ADDRESSES = 20;

/**
 * Remembers a known source, so that failed attempts from other sources do not slow down this user (http/throttle.ts).
 * Stored at most once a day. Forgets the oldest source above the limit.
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
 * Also voids password reset links and known sources, which a person with the password may have used, and removes the
 * push tokens, browsers and the ntfy topic of signed-out devices.
 */
export function endSessions(tx: Transaction, user: User): void {
  endSessionsOf(tx, user);
  tx.run("DELETE FROM sign_in_links WHERE user_id = ?", user.id);
  tx.run("DELETE FROM sign_in_addresses WHERE user_id = ?", user.id);
  tx.run("DELETE FROM push_tokens WHERE user_id = ?", user.id);
  turnNtfyOff(tx, user);
  removeWebPushDevicesOf(tx, user);
}

/** Voids all keys and sessions. Returns the user with the new key generation. */
export function endCredentials(tx: Transaction, user: User): User {
  tx.run("UPDATE users SET key_generation = key_generation + 1 WHERE id = ?", user.id);
  endSessions(tx, user);
  return userById(tx, user.id) as User;
}

/** Voids the old key and all sessions. */
export function replaceKey(tx: Transaction, actor: User, user: User): User {
  const action = actor.id === user.id ? "regenerate API key" : "revoke API key";
  recordAudit(tx, actor, { action, target: `user ${user.id}` });
  return endCredentials(tx, user);
}

/** `hash`: from passwords.hash, before the transaction. Voids all keys and sessions. */
export function changePassword(tx: Transaction, actor: User, user: User, hash: string): User {
  tx.run("UPDATE users SET password_hash = ? WHERE id = ?", hash, user.id);
  recordAudit(tx, actor, { action: "change password", target: `user ${user.id}` });
  return endCredentials(tx, user);
}
