import type { Transaction } from "../../storage/transaction.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { endSessionsOf } from "./sessions.ts";

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
