import type { User } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import type { AuditChange } from "./audit-catalogue.ts";

/**
 * Records an administrative change in the transaction that makes it, with the way in by which it came (`tx.origin`:
 * "desktop" for the person who sits there). `actor` is null for the server itself.
 */
export function recordAudit(tx: Transaction, actor: User | null, change: AuditChange): void {
  const { action, target, before, after }: { action: string; target: string; before?: unknown; after?: unknown } =
    change;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  tx.run(
    "INSERT INTO audit (at, actor_id, origin, action, target, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
    tx.now,
    actor?.id ?? null,
    tx.origin,
    action,
    target,
    json(before),
    json(after),
  );
}
