import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { DELIVERY_STATES, firstInLine, TRIGGERS, type WebhookDelivery } from "../queries/webhook-deliveries.ts";

/** A delivery of an outgoing webhook, as the bot's managers see it. Times in milliseconds since the epoch. */
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
  waits_for: z
    .int()
    .nullable()
    .optional()
    .describe("The delivery of an earlier message, which goes first; null: it waits for none. Not in events."),
  request: z.string().nullable().optional().describe("Its beginning, the token left out."),
  answer: z.string().nullable().optional().describe("Its beginning."),
});
export type WireWebhookDelivery = z.output<typeof wireWebhookDelivery>;

export function wireDelivery(delivery: WebhookDelivery, { withTexts }: { withTexts: boolean }): WireWebhookDelivery {
  const { expires_at: _, request, answer, ...fields } = delivery;
  return withTexts ? { ...fields, request, answer } : fields;
}

/** Several deliveries, each with the earlier delivery that it waits for. */
export function wireDeliveries(
  reader: Reader,
  deliveries: readonly WebhookDelivery[],
  { withTexts }: { withTexts: boolean },
): WireWebhookDelivery[] {
  const inLine = deliveries.filter(({ state, trigger }) => state === "waiting" && trigger !== "test");
  const botIds = new Set(inLine.map(({ bot_id }) => bot_id));
  const first = new Map(firstInLine(reader, [...botIds]).map(({ bot_id, id }) => [bot_id, id]));
  const standing = new Set(inLine);
  return deliveries.map((delivery) => {
    const ahead = standing.has(delivery) ? first.get(delivery.bot_id) : undefined;
    const waits_for = ahead === undefined || ahead === delivery.id ? null : ahead;
    return { ...wireDelivery(delivery, { withTexts }), waits_for };
  });
}
