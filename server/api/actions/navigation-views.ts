import type { Transaction } from "../../storage/transaction.ts";
import type { NavigationView } from "../queries/navigation-views.ts";
import type { User } from "../queries/users.ts";
import { insertRow } from "./rows.ts";

export function addNavigationView(tx: Transaction, owner: User, view: NavigationView): void {
  insertRow(tx, "navigation_views", {
    user_id: owner.id,
    fragment: view.fragment,
    name: view.name,
    is_pinned: view.is_pinned ? 1 : 0,
  });
  tx.emit({ type: "navigation_view", op: "add", navigation_view: view }, { users: [owner.id] });
}

export function editNavigationView(
  tx: Transaction,
  owner: User,
  before: NavigationView,
  { is_pinned, name }: { is_pinned?: boolean | undefined; name?: string | undefined },
): void {
  const data = {
    ...(is_pinned !== undefined && is_pinned !== before.is_pinned && { is_pinned }),
    ...(name !== undefined && name !== before.name && { name }),
  };
  if (Object.keys(data).length === 0) return;
  tx.run(
    "UPDATE navigation_views SET is_pinned = ?, name = ? WHERE user_id = ? AND fragment = ?",
    (is_pinned ?? before.is_pinned) ? 1 : 0,
    name ?? before.name,
    owner.id,
    before.fragment,
  );
  tx.emit({ type: "navigation_view", op: "update", fragment: before.fragment, data }, { users: [owner.id] });
}

export function removeNavigationView(tx: Transaction, owner: User, { fragment }: NavigationView): void {
  tx.run("DELETE FROM navigation_views WHERE user_id = ? AND fragment = ?", owner.id, fragment);
  tx.emit({ type: "navigation_view", op: "remove", fragment }, { users: [owner.id] });
}
