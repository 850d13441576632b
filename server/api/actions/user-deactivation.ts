import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { systemGroupsOf } from "../queries/user-group-members.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { announceBot } from "./bot-events.ts";
import { changeBotOwner } from "./bots.ts";
import { announceNamings } from "./group-settings.ts";
import { revokeInvitationsOf } from "./invitations.ts";
import { deletePresence } from "./presence.ts";
import { endSessions, replaceKey } from "./sessions.ts";
import { announcePeer, pauseSubscriptions, restoreParticipation } from "./user-participation.ts";
import { announceRoleGroups } from "./user-roles.ts";

const CANCELLED = "Your account was deactivated before it was due.";

/**
 * Also deactivates the user's bots, ends sessions and queues, and cancels scheduled messages. Messages stay. API keys are
 * refused until reactivation. `comment`: the reason, for the audit.
 */
export function deactivateUser(tx: Transaction, actor: User | null, user: User, comment?: string): void {
  const bots = tx.all<{ id: number }>(
    "SELECT id FROM users WHERE bot_owner_id = ? AND is_active = 1 ORDER BY id",
    user.id,
  );
  for (const { id } of bots) deactivateUser(tx, actor, userById(tx, id) as User);
  revokeInvitationsOf(tx, user);
  const groupsBefore = systemGroupsOf(tx, user, tx.now);
  deletePresence(tx, user);
  tx.run("UPDATE users SET is_active = 0 WHERE id = ?", user.id);
  endSessions(tx, user);
  tx.run("DELETE FROM event_queues WHERE user_id = ?", user.id);
  tx.run("UPDATE scheduled_messages SET failure = ? WHERE sender_id = ? AND failure IS NULL", CANCELLED, user.id);
  tx.run("UPDATE reminders SET failure = ? WHERE user_id = ? AND failure IS NULL", CANCELLED, user.id);
  pauseSubscriptions(tx, user);
  const deactivated = userById(tx, user.id) as User;
  tx.emit(
    { type: "realm_user", op: "update", person: { user_id: user.id, is_active: false } },
    { users: usersWhoCanSee(tx, deactivated) },
  );
  if (deactivated.is_bot) announceBot(tx, deactivated, { is_active: false });
  announceRoleGroups(tx, deactivated, { before: groupsBefore, after: [] });
  announceNamings(tx, deactivated);
  announcePeer(tx, deactivated, "peer_remove");
  recordAudit(tx, actor, {
    action: "deactivate user",
    target: `user ${user.id}`,
    before: { full_name: user.full_name, role: user.role },
    ...(comment && { after: { comment } }),
  });
}

/**
 * Restores the API key, subscriptions and groups, but not sessions or event queues. If a bot's owner is deactivated, the
 * actor becomes the owner, and the bot gets a new key: the former owner may still know the old one.
 */
export function reactivateUser(tx: Transaction, actor: User, user: User): void {
  tx.run("UPDATE users SET is_active = 1, is_imported_stub = 0 WHERE id = ?", user.id);
  const reactivated = userById(tx, user.id) as User;
  const users = usersWhoCanSee(tx, reactivated);
  if (user.is_imported_stub)
    tx.emit({ type: "realm_user", op: "update", person: { user_id: user.id, is_imported_stub: false } }, { users });
  restoreParticipation(tx, reactivated);
  recordAudit(tx, actor, {
    action: "reactivate user",
    target: `user ${user.id}`,
    after: { full_name: user.full_name, role: user.role },
  });
  if (!reactivated.is_bot) return;
  const owner = reactivated.bot_owner_id === null ? undefined : userById(tx, reactivated.bot_owner_id);
  if (!owner?.is_active) {
    changeBotOwner(tx, actor, reactivated, actor);
    replaceKey(tx, actor, reactivated);
  }
  announceBot(tx, userById(tx, user.id) as User, { is_active: true }, true);
}
