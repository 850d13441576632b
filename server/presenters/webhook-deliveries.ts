import { z } from "zod";
import { DELIVERY_STATES, TRIGGERS, type WebhookDelivery } from "../queries/webhook-deliveries.ts";

/** One delivery of an outgoing webhook, as those who manage its bot see it. Times in milliseconds since the epoch. */
export const wireWebhookDelivery = z.object({
  id: z.int(),
  uid: z.string().describe("What the receiver knows it by: the header webhook-id."),
  bot_id: z.int(),
  message_id: z.int().nullable().describe("Null: a test."),
  trigger: z.enum(TRIGGERS),
  state: z.enum(DELIVERY_STATES),
  created_at: z.int(),
  due_at: z.int(),
  attempts: z.int(),
  tried_at: z.int().nullable(),
  status: z.int().nullable().describe("HTTP status of the last answer."),
  latency: z.int().nullable().describe("Milliseconds."),
  error: z.string().nullable(),
  reply_id: z.int().nullable().describe("The message that the answer became."),
  request: z.string().nullable().optional().describe("Its beginning, the token left out."),
  answer: z.string().nullable().optional().describe("Its beginning."),
});
export type WireWebhookDelivery = z.output<typeof wireWebhookDelivery>;

export function wireDelivery(delivery: WebhookDelivery, { withTexts }: { withTexts: boolean }): WireWebhookDelivery {
  const { expires_at: _, request, answer, ...fields } = delivery;
  return withTexts ? { ...fields, request, answer } : fields;
}
