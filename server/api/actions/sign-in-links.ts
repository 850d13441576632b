import type { Transaction } from "../../storage/transaction.ts";
import { linkDigest, SIGN_IN_LINK_SECONDS } from "../access/sign-in-links.ts";
import type { User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { upsertRow } from "./rows.ts";

/** The link works once within an hour. Returns its expiry time. `isByMail`: the user requested it. */
export function createSignInLink(
  tx: Transaction,
  actor: User,
  user: User,
  token: string,
  { isByMail = false } = {},
): number {
  const expiresAt = tx.now + SIGN_IN_LINK_SECONDS * 1000;
  upsertRow(
    tx,
    "sign_in_links",
    { user_id: user.id, by_mail: Number(isByMail) },
    {
      digest: linkDigest(token),
      key_generation: user.key_generation,
      made_by: actor.id,
      made_at: tx.now,
      expires_at: expiresAt,
    },
  );
  recordAudit(tx, actor, { action: "make sign-in link", target: `user ${user.id}` });
  return expiresAt;
}

export function deleteExpiredSignInLinks(tx: Transaction): void {
  if (tx.value("SELECT user_id FROM sign_in_links WHERE expires_at <= ? LIMIT 1", tx.now) === undefined) return;
  tx.run("DELETE FROM sign_in_links WHERE expires_at <= ?", tx.now);
}
