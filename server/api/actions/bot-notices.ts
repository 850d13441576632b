import type { Transaction } from "../../storage/transaction.ts";
import { ownerNotifiedAt } from "../queries/bots.ts";
import type { User } from "../queries/users.ts";
import { notifyUser } from "./notices.ts";

const NOTICE_EVERY_MS = 60_000;

/** Tells the owner of a bot what goes wrong with it, at most once a minute: the log of deliveries tells all. */
export function notifyBotOwner(tx: Transaction, bot: User, content: string): void {
  if (bot.bot_owner_id === null || Math.abs(tx.now - ownerNotifiedAt(tx, bot.id)) < NOTICE_EVERY_MS) return;
  tx.run("UPDATE bots SET notified_at = ? WHERE user_id = ?", tx.now, bot.id);
  notifyUser(tx, bot.bot_owner_id, content);
}
