import type { Transaction } from "../../storage/transaction.ts";
import { linkDigest, SIGN_IN_LINK_SECONDS } from "../access/sign-in-links.ts";
import type { User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

/** The link works once within an hour. Returns its expiry time. */
export function makeSignInLink(tx: Transaction, actor: User, user: User, token: string): number {
  const expiresAt = tx.now + SIGN_IN_LINK_SECONDS * 1000;
  tx.run(
    `INSERT INTO sign_in_links (user_id, digest, key_generation, made_by, made_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, key_generation = excluded.key_generation,
       made_by = excluded.made_by, made_at = excluded.made_at, expires_at = excluded.expires_at`,
    user.id,
    linkDigest(token),
    user.key_generation,
    actor.id,
    tx.now,
    expiresAt,
  );
  recordAudit(tx, actor, { action: "make sign-in link", target: `user ${user.id}` });
  return expiresAt;
}

export function deleteExpiredSignInLinks(tx: Transaction): void {
  if (tx.value("SELECT user_id FROM sign_in_links WHERE expires_at <= ? LIMIT 1", tx.now) === undefined) return;
  tx.run("DELETE FROM sign_in_links WHERE expires_at <= ?", tx.now);
}
