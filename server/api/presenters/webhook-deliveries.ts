import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { DELIVERY_STATES, firstInLine, TRIGGERS, type WebhookDelivery } from "../queries/webhook-deliveries.ts";
import { storedProblemInWire, wireProblem } from "./problems.ts";

/** A delivery of an outgoing webhook, as the bot's managers see it. Times in milliseconds since the epoch. */
export const wireWebhookDelivery = z.object({
  id: z.int(),
  uid: z.string().describe("ID in the header webhook-id."),
  bot_id: z.int(),
  message_id: z.int().nullable().describe("Null for a test."),
  trigger: z.enum(TRIGGERS),
  state: z.enum(DELIVERY_STATES),
  created_at: z.int(),
  due_at: z.int(),
  attempts: z.int(),
  tried_at: z.int().nullable(),
  status: z.int().nullable().describe("HTTP status of the last response."),
  latency: z.int().nullable().describe("Milliseconds."),
  error: wireProblem.nullable(),
  reply_id: z.int().nullable().describe("ID of the message that the bot sent from the response."),
  waits_for: z
    .int()
    .nullable()
    .optional()
    .describe("ID of the delivery of an earlier message that goes first; null if there is none. Not in events."),
  request: z.string().nullable().optional().describe("Start of the request. The token is masked."),
  answer: z.string().nullable().optional().describe("Start of the response."),
});
export type WireWebhookDelivery = z.output<typeof wireWebhookDelivery>;

export function wireDelivery(delivery: WebhookDelivery, { withTexts }: { withTexts: boolean }): WireWebhookDelivery {
  const { expires_at: _, request, answer, ...rest } = delivery;
  const fields = { ...rest, error: storedProblemInWire(delivery.error) };
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
