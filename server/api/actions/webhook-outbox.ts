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

/** Time until a delivery fails. */
export const DELIVERY_EXPIRES_MS = 24 * 3_600_000;

/** For Hearth's own pages. */
export function announceDelivery(tx: Transaction, delivery: WebhookDelivery, op: "add" | "update"): void {
  const bot = userById(tx, delivery.bot_id);
  const users = bot ? usersWhoManageBot(tx, bot) : [];
  if (users.length > 0)
    tx.emit({ type: "webhook_delivery", op, delivery: wireDelivery(delivery, { withTexts: false }) }, { users });
}

/** For a delivery that is already stored. */
export function announceStoredDelivery(tx: Transaction, id: number, op: "add" | "update"): void {
  const delivery = webhookDeliveryById(tx, id);
  if (delivery) announceDelivery(tx, delivery, op);
}

/** Returns the delivery's ID. */
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
 * Queues the message for outgoing webhooks in the direct conversation or mentioned by name. Messages of bots are
 * excluded, so that bots cannot trigger each other forever.
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
  // Most channel messages mention no one.
  if (sender.is_bot || (!userIds && flags.size === 0)) return;
  for (const { id: botId } of outgoingBots(tx)) {
    if (userIds) {
      if (userIds.includes(botId)) enqueueDelivery(tx, { botId, messageId, trigger: "direct_message" });
    } else if ((flags.get(botId) ?? 0) & FLAG.mentioned) enqueueDelivery(tx, { botId, messageId, trigger: "mention" });
  }
}
