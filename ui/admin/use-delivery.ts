import type { Answer } from "../api/client.ts";
import { useAnswer } from "./use-answer.ts";

export type Delivery = Answer<"GET /host/bots/{bot_id}/deliveries/{delivery_id}">["delivery"];

/** A delivery with its request and response, live; undefined until it loads, or without an id. */
export const useDelivery = (bot_id: number, delivery_id: number | undefined): Delivery | undefined =>
  useAnswer(
    "GET /host/bots/{bot_id}/deliveries/{delivery_id}",
    { bot_id, delivery_id: delivery_id ?? 0 },
    { changedBy: ["webhook_delivery"], isEnabled: delivery_id !== undefined },
  ).data?.delivery;
