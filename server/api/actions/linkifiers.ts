import type { Transaction } from "../../storage/transaction.ts";
import { type Linkifier, linkifiers } from "../queries/linkifiers.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

const target = (id: number) => `linkifier ${id}` as const;

/** Adds the linkifier at the end. Returns its ID. Stored messages are not rendered again. */
export function addLinkifier(tx: Transaction, actor: User, added: Omit<Linkifier, "id">): number {
  const id = tx.run(
    `INSERT INTO linkifiers (pattern, url_template, position)
     VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM linkifiers))`,
    added.pattern,
    added.url_template,
  );
  announce(tx);
  recordAudit(tx, actor, { action: "add linkifier", target: target(id), after: added });
  return id;
}

export function changeLinkifier(
  tx: Transaction,
  actor: User,
  { id, ...before }: Linkifier,
  after: Omit<Linkifier, "id">,
): void {
  if (after.pattern === before.pattern && after.url_template === before.url_template) return;
  tx.run("UPDATE linkifiers SET pattern = ?, url_template = ? WHERE id = ?", after.pattern, after.url_template, id);
  announce(tx);
  recordAudit(tx, actor, { action: "change linkifier", target: target(id), before, after });
}

export function removeLinkifier(tx: Transaction, actor: User, { id, ...before }: Linkifier): void {
  tx.run("DELETE FROM linkifiers WHERE id = ?", id);
  announce(tx);
  recordAudit(tx, actor, { action: "remove linkifier", target: target(id), before });
}

export function reorderLinkifiers(tx: Transaction, actor: User, order: readonly number[]): void {
  const before = linkifiers(tx).map(({ id }) => id);
  if (order.every((id, at) => id === before[at])) return;
  for (const [at, id] of order.entries()) tx.run("UPDATE linkifiers SET position = ? WHERE id = ?", at + 1, id);
  announce(tx);
  recordAudit(tx, actor, { action: "reorder linkifiers", target: "organization", before, after: order });
}

function announce(tx: Transaction): void {
  const users = activeUserIds(tx);
  tx.emit({ type: "realm_linkifiers", realm_linkifiers: [...linkifiers(tx)] }, { users });
  tx.emit({ type: "realm_filters", realm_filters: [] }, { users });
}
