import { z } from "zod";
import { RECEIPT_STATES, type WebhookReceipt } from "../queries/webhook-receipts.ts";

/** A request to an incoming webhook, as the bot's managers see it. Times in milliseconds since the epoch. */
export const wireReceipt = z.object({
  id: z.int(),
  bot_id: z.int(),
  integration: z.string(),
  event: z.string().nullable(),
  state: z.enum(RECEIPT_STATES),
  received_at: z.int(),
  latency: z.int(),
  status: z.int(),
  error: z.string().nullable(),
  payload: z.string().optional().describe("Its beginning, secrets left out; in no event."),
  message_id: z.int().nullable(),
});
export type WireReceipt = z.output<typeof wireReceipt>;

export function receiptInEvents(receipt: WebhookReceipt): WireReceipt {
  const { payload: _, ...fields } = receipt;
  return fields;
}
