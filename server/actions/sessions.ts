import { SESSION_SECONDS, sessionDigest } from "../access/sessions.ts";
import type { User } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";

/** Signs the user in. This is not an administrative change, so the audit does not record it. */
export function createSession(tx: Transaction, user: User, token: string): void {
  tx.run(
    "INSERT INTO sessions (digest, user_id, key_generation, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
    sessionDigest(token),
    user.id,
    user.key_generation,
    tx.now,
    tx.now + SESSION_SECONDS * 1000,
  );
}

/** Signs out. Does nothing if there is no session with this token. */
export function endSession(tx: Transaction, token: string): void {
  const digest = sessionDigest(token);
  if (tx.value("SELECT digest FROM sessions WHERE digest = ?", digest) === undefined) return;
  tx.run("DELETE FROM sessions WHERE digest = ?", digest);
}

export function deleteExpiredSessions(tx: Transaction): void {
  if (tx.value("SELECT digest FROM sessions WHERE expires_at <= ? LIMIT 1", tx.now) === undefined) return;
  tx.run("DELETE FROM sessions WHERE expires_at <= ?", tx.now);
}
