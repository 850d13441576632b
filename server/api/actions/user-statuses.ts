import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { isAway, statusOf } from "../presenters/user-statuses.ts";
import { type StoredStatus, storedStatus } from "../queries/user-statuses.ts";
import type { User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { deletePresence } from "./presence.ts";
import { upsertRow } from "./rows.ts";

/** Users who can see the person get the changed fields. */
export function setStatus(tx: Transaction, actor: User, user: User, changes: Partial<StoredStatus>): void {
  const before = storedStatus(tx, user.id);
  const after: StoredStatus = { ...before, ...changes };
  const announced: Partial<StoredStatus> = {};
  if (after.status_text !== before.status_text) announced.status_text = after.status_text;
  // Clients read the three emoji fields together.
  const { emoji_name, emoji_code, reaction_type } = after;
  const isSameEmoji = emoji_name === before.emoji_name && emoji_code === before.emoji_code;
  if (!isSameEmoji || reaction_type !== before.reaction_type)
    Object.assign(announced, { emoji_name, emoji_code, reaction_type });
  if (Object.keys(announced).length === 0) return;
  if (after.status_text === "" && after.emoji_name === "") {
    tx.run("DELETE FROM user_statuses WHERE user_id = ?", user.id);
  } else {
    upsertRow(
      tx,
      "user_statuses",
      { user_id: user.id },
      {
        status_text: after.status_text,
        emoji_name: after.emoji_name,
        emoji_code: after.emoji_code,
        reaction_type: after.reaction_type,
      },
    );
  }
  tx.emit({ type: "user_status", user_id: user.id, ...announced }, { users: usersWhoCanSee(tx, user) });
  if (actor.id === user.id) return;
  recordAudit(tx, actor, { action: "change user status", target: `user ${user.id}`, before, after });
}

/** For viewers who can newly see the user. */
export function announceStatus(tx: Transaction, user: User, viewers: readonly number[]): void {
  const status = statusOf(tx, user);
  if (Object.keys(status).length > 0) tx.emit({ type: "user_status", user_id: user.id, ...status }, { users: viewers });
}

/** Announces that the user hides their presence or shows it again. */
export function announceAway(tx: Transaction, user: User): void {
  const away = isAway(tx, user);
  if (away) deletePresence(tx, user);
  tx.emit({ type: "user_status", user_id: user.id, away }, { users: usersWhoCanSee(tx, user) });
}
