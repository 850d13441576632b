import type { User } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";

/**
 * Notes an administrative change beside it, in its transaction, with the way in that it came (`tx.origin`: "desktop"
 * for whoever sits there). `actor` is null for the server itself; `target` names what changed (`user 12`).
 */
export function recordAudit(
  tx: Transaction,
  actor: User | null,
  change: { action: string; target: string; before?: unknown; after?: unknown },
): void {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  tx.run(
    "INSERT INTO audit (at, actor_id, origin, action, target, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
    tx.now,
    actor?.id ?? null,
    tx.origin,
    change.action,
    change.target,
    json(change.before),
    json(change.after),
  );
}
