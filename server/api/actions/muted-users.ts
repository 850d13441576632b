import type { Transaction } from "../../storage/transaction.ts";
import { ownMutedUsers } from "../presenters/muted-users.ts";
import { ReadState } from "../queries/read-state.ts";
import type { User } from "../queries/users.ts";
import { markRead } from "./message-flags.ts";
import { insertRow } from "./rows.ts";

/** Existing and future messages of the muted user are read. */
export function muteUser(tx: Transaction, owner: User, other: User): void {
  insertRow(tx, "muted_users", { user_id: owner.id, muted_user_id: other.id, muted_at: tx.now });
  announce(tx, owner);
  const state = new ReadState(tx, owner.id);
  const theirs = state.unread().filter((id) => state.index.entry(tx, id)?.sender === other.id);
  if (theirs.length > 0) markRead(tx, state, theirs);
}

/** Messages that were marked as read stay read. */
export function unmuteUser(tx: Transaction, owner: User, other: User): void {
  tx.run("DELETE FROM muted_users WHERE user_id = ? AND muted_user_id = ?", owner.id, other.id);
  announce(tx, owner);
}

const announce = (tx: Transaction, owner: User): void =>
  tx.emit({ type: "muted_users", muted_users: ownMutedUsers(tx, owner) }, { users: [owner.id] });
