import type { Transaction } from "../../storage/transaction.ts";
import type { User } from "../queries/users.ts";
import type { AuditChange } from "./audit-catalogue.ts";

/** The first entry of each act: by its transaction, and by what its committed transactions have in common. */
const firstEntries = new WeakMap<object, number>();

/**
 * Records an administrative change in the transaction that makes it, with the way in by which it came (`tx.origin`:
 * "desktop" for the person who sits there). `actor` is null for the server itself. What one request changes, in however
 * many transactions, is one act: its later entries name the first.
 */
export function recordAudit(tx: Transaction, actor: User | null, change: AuditChange): void {
  const { action, target, before, after }: { action: string; target: string; before?: unknown; after?: unknown } =
    change;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const first = firstEntries.get(tx) ?? firstEntries.get(tx.act);
  const id = tx.run(
    "INSERT INTO audit (at, actor_id, origin, action, target, before, after, first_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    tx.now,
    actor?.id ?? null,
    tx.origin,
    action,
    target,
    json(before),
    json(after),
    first ?? null,
  );
  if (first !== undefined) return;
  firstEntries.set(tx, id);
  tx.afterCommit(() => firstEntries.set(tx.act, id));
}
