import { type User, userById } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import { recordAudit } from "./audit.ts";

/** Signs somebody out everywhere; links by which they could set a password go too. */
export function endSessions(tx: Transaction, user: User): void {
  tx.run("DELETE FROM sessions WHERE user_id = ?", user.id);
  tx.run("DELETE FROM sign_in_links WHERE user_id = ?", user.id);
}

/** Voids every key and session of somebody. Returns them as they are now, with the key that counts. */
export function endCredentials(tx: Transaction, user: User): User {
  tx.run("UPDATE users SET key_generation = key_generation + 1 WHERE id = ?", user.id);
  endSessions(tx, user);
  return userById(tx, user.id) as User;
}

/** For a key that strangers may know: the one from before, and all sessions, are void. */
export function replaceKey(tx: Transaction, actor: User, user: User): User {
  const action = actor.id === user.id ? "regenerate API key" : "revoke API key";
  recordAudit(tx, actor, { action, target: `user ${user.id}` });
  return endCredentials(tx, user);
}

/** `hash`: from passwords.hash, made before the transaction. Whoever knew the old password is out. */
export function changePassword(tx: Transaction, actor: User, user: User, hash: string): User {
  tx.run("UPDATE users SET password_hash = ? WHERE id = ?", hash, user.id);
  recordAudit(tx, actor, { action: "change password", target: `user ${user.id}` });
  return endCredentials(tx, user);
}
