import { z } from "zod";
import { integer, listOf, oneOf } from "../../http/params.ts";
import { runIteratorInSlices } from "../../http/run-in-slices.ts";
import type { Reader } from "../../storage/transaction.ts";
import { botIdsToManage } from "../access/bots.ts";
import {
  deliveryOf,
  deliveryToReplay,
  waitingDeliveryOf,
  webhookToManage,
  webhookToTry,
} from "../access/webhook-deliveries.ts";
import {
  abandonDelivery,
  replayDeliveries,
  sendTestDelivery,
  tryDeliveriesNow,
} from "../actions/webhook-deliveries.ts";
import { type WireWebhookDelivery, wireDeliveries, wireWebhookDelivery } from "../presenters/webhook-deliveries.ts";
import {
  DELIVERY_STATES,
  deliveryLog,
  failedDeliveryIds,
  TRIGGERS,
  type WebhookDelivery,
  webhookDeliveries,
} from "../queries/webhook-deliveries.ts";
import { endpoint } from "./endpoint.ts";
import { logSpan, pageOf } from "./params.ts";

/** Per request: each delivery sends an event. */
const MAX_REPLAYED = 500;

const deliveryList = z.object({ deliveries: z.array(wireWebhookDelivery), has_more: z.boolean() });

/** `found`: up to one row more than the limit. */
function listed(reader: Reader, found: readonly WebhookDelivery[], limit: number): z.output<typeof deliveryList> {
  const { page, has_more } = pageOf(found, limit);
  return { deliveries: wireDeliveries(reader, page, { withTexts: false }), has_more };
}

export const getWebhookDeliveries = endpoint({
  route: "GET /host/bots/{bot_id}/deliveries",
  summary: "List deliveries of an outgoing webhook, newest first. For its owner and administrators.",
  who: "member",
  outsideApi: true,
  params: {
    bot_id: integer(),
    before: integer({ min: 1 }).optional().describe("Only deliveries before this ID."),
    state: oneOf(...DELIVERY_STATES).optional(),
    limit: integer({ min: 1, max: 200 }).default(50),
  },
  response: deliveryList,
  handle: ({ viewer, params, reader }) => {
    const { bot_id, before, state, limit } = params;
    webhookToManage(reader, viewer, bot_id);
    const found = webhookDeliveries(reader, { bot_id, before, state, limit: limit + 1 });
    return listed(reader, found, limit);
  },
});

export const getDeliveryLog = endpoint({
  route: "GET /host/webhook_deliveries",
  summary: "List deliveries of all outgoing webhooks that the caller manages, newest first.",
  who: "member",
  outsideApi: true,
  params: {
    bot_ids: listOf(integer()).optional().describe("All if omitted."),
    states: listOf(oneOf(...DELIVERY_STATES)).optional(),
    triggers: listOf(oneOf(...TRIGGERS)).optional(),
    ...logSpan,
  },
  response: deliveryList,
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const bot_ids = botIdsToManage(reader, viewer, params.bot_ids);
    const log = deliveryLog(reader, { ...params, bot_ids, limit: params.limit + 1 });
    const found = await runIteratorInSlices(call, log);
    return listed(reader, found, params.limit);
  },
});

export const getWebhookDelivery = endpoint({
  route: "GET /host/bots/{bot_id}/deliveries/{delivery_id}",
  summary: "Get a delivery, with the start of its request and response.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer(), delivery_id: integer() },
  response: z.object({ delivery: wireWebhookDelivery }),
  handle: ({ viewer, params, reader }) => {
    const bot = webhookToManage(reader, viewer, params.bot_id);
    const [delivery] = wireDeliveries(reader, [deliveryOf(reader, bot, params.delivery_id)], { withTexts: true });
    return { delivery: delivery as WireWebhookDelivery };
  },
});

export const replayWebhookDelivery = endpoint({
  route: "POST /host/bots/{bot_id}/deliveries/{delivery_id}/replay",
  summary: "Repeat a finished delivery with the same webhook-id.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer(), delivery_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const bot = webhookToManage(tx, viewer, params.bot_id);
      replayDeliveries(tx, [deliveryToReplay(tx, bot, params.delivery_id).id]);
    });
  },
});

export const replayFailedDeliveries = endpoint({
  route: "POST /host/bots/{bot_id}/deliveries/replay_failed",
  summary: `Repeat failed deliveries, at most the oldest ${MAX_REPLAYED}.`,
  who: "member",
  outsideApi: true,
  params: { bot_id: integer() },
  response: z.object({ replayed: z.int(), has_more: z.boolean() }),
  handle: ({ viewer, params, transact }) =>
    transact((tx) => {
      const bot = webhookToManage(tx, viewer, params.bot_id);
      const ids = failedDeliveryIds(tx, bot.user.id, MAX_REPLAYED + 1);
      replayDeliveries(tx, ids.slice(0, MAX_REPLAYED));
      return { replayed: Math.min(ids.length, MAX_REPLAYED), has_more: ids.length > MAX_REPLAYED };
    }),
});

export const tryWebhookDelivery = endpoint({
  route: "POST /host/bots/{bot_id}/deliveries/{delivery_id}/try",
  summary: "Retry a pending delivery now, after those of earlier messages.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer(), delivery_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const bot = webhookToTry(tx, viewer, params.bot_id);
      tryDeliveriesNow(tx, viewer, bot, waitingDeliveryOf(tx, bot, params.delivery_id));
    });
  },
});

export const tryWaitingDeliveries = endpoint({
  route: "POST /host/bots/{bot_id}/deliveries/try_waiting",
  summary: "Retry all pending deliveries now, in the order of their messages.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer() },
  response: z.object({ waiting: z.int().describe("Number of pending deliveries.") }),
  handle: ({ viewer, params, transact }) => ({
    waiting: transact((tx) => tryDeliveriesNow(tx, viewer, webhookToTry(tx, viewer, params.bot_id))),
  }),
});

export const abandonWebhookDelivery = endpoint({
  route: "POST /host/bots/{bot_id}/deliveries/{delivery_id}/give_up",
  summary: "Cancel a pending delivery. It counts as failed and can be repeated.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer(), delivery_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const bot = webhookToManage(tx, viewer, params.bot_id);
      abandonDelivery(tx, viewer, bot, waitingDeliveryOf(tx, bot, params.delivery_id));
    });
  },
});

export const postTestDelivery = endpoint({
  route: "POST /host/bots/{bot_id}/test_delivery",
  summary: "Queue a test delivery, to see the receiver's response.",
  who: "member",
  outsideApi: true,
  params: { bot_id: integer() },
  response: z.object({ delivery_id: z.int() }),
  handle: ({ viewer, params, transact }) => ({
    delivery_id: transact((tx) => sendTestDelivery(tx, webhookToManage(tx, viewer, params.bot_id))),
  }),
});
