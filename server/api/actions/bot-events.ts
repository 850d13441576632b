import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoManageBot } from "../access/bots.ts";
import { botOnWire, type KeylessBot } from "../presenters/bots.ts";
import { allBots } from "../queries/bots.ts";
import { type User, userById } from "../queries/users.ts";

/** Tells those who manage the bot what changed of it. `withKey`: the event carries the key that counts from now on. */
export function announceBot(tx: Transaction, user: User, changes: Partial<KeylessBot>, withKey = false): void {
  const users = usersWhoManageBot(tx, user);
  if (users.length === 0) return;
  tx.emit(
    { type: "realm_bot", op: "update", bot: { user_id: user.id, ...changes }, ...(withKey && { with_key: true }) },
    { users },
  );
}

/** Tells those who manage the bot, in Hearth's own pages, that its webhook's settings are others than before. */
export function announceWebhookSettings(tx: Transaction, bot: User): void {
  const users = usersWhoManageBot(tx, bot);
  if (users.length > 0) tx.emit({ type: "webhook_settings", op: "update", bot_id: bot.id }, { users });
}

/** Who manages which bots before something changes: user ids by bot id. */
export type BotManagers = ReadonlyMap<number, readonly number[]>;

export const botManagers = (tx: Transaction): BotManagers =>
  new Map(allBots(tx).map(({ user }) => [user.id, usersWhoManageBot(tx, user)]));

/** After a change of roles or owners, tells those who manage other bots than before. */
export function announceManagers(tx: Transaction, before: BotManagers): void {
  for (const bot of allBots(tx)) {
    const after = usersWhoManageBot(tx, bot.user);
    const [had, has] = [new Set(before.get(bot.user.id)), new Set(after)];
    const gained = after.filter((id) => !had.has(id));
    const lost = [...had].filter((id) => !has.has(id) && userById(tx, id)?.is_active);
    if (gained.length > 0) tx.emit({ type: "realm_bot", op: "add", bot: botOnWire(tx, bot) }, { users: gained });
    if (lost.length > 0) tx.emit({ type: "realm_bot", op: "delete", bot: { user_id: bot.user.id } }, { users: lost });
  }
}
