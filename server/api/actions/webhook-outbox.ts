import { randomUUID } from "node:crypto";
import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoManageBot } from "../access/bots.ts";
import { wireDelivery } from "../presenters/webhook-deliveries.ts";
import { FLAG } from "../queries/read-state.ts";
import { type User, userById } from "../queries/users.ts";
import {
  outgoingBots,
  type Trigger,
  type WebhookDelivery,
  webhookDeliveryById,
} from "../queries/webhook-deliveries.ts";

/** How long a delivery is tried before it is given up. */
export const DELIVERY_EXPIRES_MS = 24 * 3_600_000;

/** Tells those who manage the bot, in Hearth's own pages, how a delivery stands. */
export function announceDelivery(tx: Transaction, delivery: WebhookDelivery, op: "add" | "update"): void {
  const bot = userById(tx, delivery.bot_id);
  const users = bot ? usersWhoManageBot(tx, bot) : [];
  if (users.length > 0)
    tx.emit({ type: "webhook_delivery", op, delivery: wireDelivery(delivery, { withTexts: false }) }, { users });
}

/** The same, of a delivery that has been written. */
export function announceStoredDelivery(tx: Transaction, id: number, op: "add" | "update"): void {
  const delivery = webhookDeliveryById(tx, id);
  if (delivery) announceDelivery(tx, delivery, op);
}

/** Queues a delivery, in the transaction of what it is about. Returns its id. */
export function enqueueDelivery(
  tx: Transaction,
  { botId, messageId, trigger }: { botId: number; messageId: number | null; trigger: Trigger },
): number {
  const id = tx.run(
    `INSERT INTO webhook_deliveries (uid, bot_id, message_id, trigger, state, created_at, expires_at, due_at)
     VALUES (?, ?, ?, ?, 'waiting', ?, ?, ?)`,
    `msg_${randomUUID()}`,
    botId,
    messageId,
    trigger,
    tx.now,
    tx.now + DELIVERY_EXPIRES_MS,
    tx.now,
  );
  announceStoredDelivery(tx, id, "add");
  return id;
}

/**
 * Queues a message for the outgoing webhooks that it is meant for: those in its direct conversation, and those whom it
 * mentions by name. What bots write triggers none, so that no two of them answer each other for ever.
 */
export function enqueueForWebhooks(
  tx: Transaction,
  sender: User,
  {
    messageId,
    userIds,
    flags,
  }: { messageId: number; userIds: readonly number[] | undefined; flags: ReadonlyMap<number, number> },
): void {
  // Most messages of channels mention nobody.
  if (sender.is_bot || (!userIds && flags.size === 0)) return;
  for (const { id: botId } of outgoingBots(tx)) {
    if (userIds) {
      if (userIds.includes(botId)) enqueueDelivery(tx, { botId, messageId, trigger: "direct_message" });
    } else if ((flags.get(botId) ?? 0) & FLAG.mentioned) enqueueDelivery(tx, { botId, messageId, trigger: "mention" });
  }
}
