import { z } from "zod";
import { RECEIPT_STATES, type WebhookReceipt } from "../queries/webhook-receipts.ts";
import { storedProblemInWire, wireProblem } from "./problems.ts";

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
  error: wireProblem.nullable(),
  payload: z.string().optional().describe("Start of the payload. Secrets are masked. Not in events."),
  message_id: z.int().nullable(),
});
export type WireReceipt = z.output<typeof wireReceipt>;

type Receipt = Omit<WebhookReceipt, "payload"> & { payload?: string };

export const receiptInWire = (receipt: Receipt): WireReceipt => ({
  ...receipt,
  error: storedProblemInWire(receipt.error),
});

export function receiptInEvents({ payload: _, ...fields }: WebhookReceipt): WireReceipt {
  return receiptInWire(fields);
}
