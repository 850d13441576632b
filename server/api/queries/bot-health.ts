import type { Reader } from "../../storage/transaction.ts";
import { BOT_TYPE, type Bot } from "./bots.ts";
import { type DeliveryState, waitingDeliveryCount } from "./webhook-deliveries.ts";
import type { ReceiptState } from "./webhook-receipts.ts";

/** The newest thing that a webhook was sent, or that was sent to it. */
interface Last {
  /** Milliseconds since the epoch. */
  at: number;
  state: DeliveryState | ReceiptState;
  error: string | null;
}

/** How a bot's webhook does, from what the log still has. */
export interface BotHealth {
  /** Deliveries that wait. */
  waiting: number;
  /** Deliveries that were given up, or requests that were refused. */
  failed: number;
  last: Last | null;
}

const NONE: BotHealth = { waiting: 0, failed: 0, last: null };

export function botHealth(reader: Reader, { user }: Bot): BotHealth {
  if (user.bot_type === BOT_TYPE.outgoingWebhook) return outgoingHealth(reader, user.id);
  return user.bot_type === BOT_TYPE.incomingWebhook ? incomingHealth(reader, user.id) : NONE;
}

const outgoingHealth = (reader: Reader, id: number): BotHealth => ({
  waiting: waitingDeliveryCount(reader, id),
  failed:
    reader.value<number>(
      `SELECT COUNT(*) FROM webhook_deliveries INDEXED BY webhook_deliveries_failed
       WHERE bot_id = ? AND state = 'failed'`,
      id,
    ) ?? 0,
  last:
    reader.get<Last>(
      `SELECT tried_at AS at, state, error FROM webhook_deliveries
       WHERE bot_id = ? AND tried_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
      id,
    ) ?? null,
});

const incomingHealth = (reader: Reader, id: number): BotHealth => ({
  waiting: 0,
  failed: reader.value<number>("SELECT COUNT(*) FROM webhook_receipts WHERE bot_id = ? AND state = 'refused'", id) ?? 0,
  last:
    reader.get<Last>(
      "SELECT received_at AS at, state, error FROM webhook_receipts WHERE bot_id = ? ORDER BY id DESC LIMIT 1",
      id,
    ) ?? null,
});
