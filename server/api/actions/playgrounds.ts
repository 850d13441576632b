import type { Transaction } from "../../storage/transaction.ts";
import { type Playground, playgrounds } from "../queries/playgrounds.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { insertRow } from "./rows.ts";

const target = (id: number) => `playground ${id}` as const;

export function addPlayground(tx: Transaction, actor: User, added: Omit<Playground, "id">): number {
  const id = insertRow(tx, "playgrounds", {
    name: added.name,
    pygments_language: added.pygments_language,
    url_template: added.url_template,
  });
  announce(tx);
  recordAudit(tx, actor, { action: "add playground", target: target(id), after: added });
  return id;
}

export function removePlayground(tx: Transaction, actor: User, { id, ...before }: Playground): void {
  tx.run("DELETE FROM playgrounds WHERE id = ?", id);
  announce(tx);
  recordAudit(tx, actor, { action: "remove playground", target: target(id), before });
}

const announce = (tx: Transaction): void =>
  tx.emit({ type: "realm_playgrounds", realm_playgrounds: [...playgrounds(tx)] }, { users: activeUserIds(tx) });
