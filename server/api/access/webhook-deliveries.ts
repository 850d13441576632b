import { badRequest, notFound } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { Bot } from "../queries/bots.ts";
import type { User } from "../queries/users.ts";
import { type WebhookDelivery, webhookDeliveryById } from "../queries/webhook-deliveries.ts";
import { type WebhookReceipt, webhookReceiptById } from "../queries/webhook-receipts.ts";
import { botToManage } from "./bots.ts";

export function webhookToManage(reader: Reader, viewer: User, botId: number): Bot {
  const bot = botToManage(reader, viewer, botId);
  if (!bot.service) throw badRequest("not_outgoing_webhook");
  return bot;
}

/** Throws if the bot is paused or deactivated. */
export function webhookToTry(reader: Reader, viewer: User, botId: number): Bot {
  const bot = webhookToManage(reader, viewer, botId);
  if (!bot.user.is_active) throw badRequest("bot_deactivated");
  if (bot.isPaused) throw badRequest("bot_paused");
  return bot;
}

/** Deliveries of other bots count as missing. */
export function deliveryOf(reader: Reader, bot: Bot, id: number): WebhookDelivery {
  const delivery = webhookDeliveryById(reader, id);
  if (delivery?.bot_id !== bot.user.id) throw notFound("delivery_not_found");
  return delivery;
}

/** Receipts of other bots count as missing. */
export function receiptOf(reader: Reader, { user }: Bot, id: number): WebhookReceipt {
  const receipt = webhookReceiptById(reader, id);
  if (receipt?.bot_id !== user.id) throw notFound("receipt_not_found");
  return receipt;
}

/** Throws for a pending delivery. */
export function deliveryToReplay(reader: Reader, bot: Bot, id: number): WebhookDelivery {
  const delivery = deliveryOf(reader, bot, id);
  if (delivery.state === "waiting") throw badRequest("delivery_already_waiting");
  return delivery;
}

/** Throws unless the delivery is pending. */
export function waitingDeliveryOf(reader: Reader, bot: Bot, id: number): WebhookDelivery {
  const delivery = deliveryOf(reader, bot, id);
  if (delivery.state !== "waiting") throw badRequest("delivery_not_waiting");
  return delivery;
}
