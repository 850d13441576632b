import type { Transaction } from "../../storage/transaction.ts";
import type { PushToken } from "../queries/push-tokens.ts";
import type { User } from "../queries/users.ts";
import { insertRow } from "./rows.ts";

/** More than a person's devices need. A device whose token was forgotten registers again at its next start. */
const MAX_TOKENS = 50;

/** Forgets the oldest token above the limit. */
export function addPushToken(
  tx: Transaction,
  user: User,
  { kind, token }: PushToken,
  appId: string | null = null,
): void {
  insertRow(tx, "push_tokens", { user_id: user.id, kind, token, app_id: appId });
  tx.run(
    `DELETE FROM push_tokens WHERE user_id = ? AND id IN (
       SELECT id FROM push_tokens WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    user.id,
    user.id,
    MAX_TOKENS,
  );
}

export function removePushToken(tx: Transaction, user: User, { kind, token }: PushToken): void {
  tx.run("DELETE FROM push_tokens WHERE user_id = ? AND kind = ? AND token = ?", user.id, kind, token);
}
