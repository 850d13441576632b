import type { Transaction } from "../../storage/transaction.ts";
import { type Linkifier, linkifiers } from "../queries/linkifiers.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";

const target = (id: number) => `linkifier ${id}` as const;

const valuesOf = (one: Omit<Linkifier, "id">) => [
  one.pattern,
  one.url_template,
  one.example_input,
  one.reverse_template,
  JSON.stringify(one.alternative_url_templates),
];

/** Adds the linkifier at the end. Returns its ID. Stored messages are not rendered again. */
export function addLinkifier(tx: Transaction, actor: User, added: Omit<Linkifier, "id">): number {
  const id = tx.run(
    `INSERT INTO linkifiers (pattern, url_template, example_input, reverse_template, alternative_url_templates, position)
     VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM linkifiers))`,
    ...valuesOf(added),
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
  if (JSON.stringify(valuesOf(after)) === JSON.stringify(valuesOf(before))) return;
  tx.run(
    `UPDATE linkifiers SET pattern = ?, url_template = ?, example_input = ?, reverse_template = ?,
       alternative_url_templates = ? WHERE id = ?`,
    ...valuesOf(after),
    id,
  );
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
