import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { integer, json, rawOrJson, text } from "../../http/params.ts";
import { ownChannel } from "../access/subscriptions.ts";
import { changeSubscription } from "../actions/subscription-settings.ts";
import { SUBSCRIPTION_PROPERTIES, type SubscriptionProperty } from "../queries/subscriptions.ts";
import { endpoint } from "./endpoint.ts";
import { subscriptionColor } from "./subscription-params.ts";

/** A property with a valid value, or an error that names the parameter. */
function validChange(
  name: string,
  value: boolean | string,
  path = "",
): { property: SubscriptionProperty; value: boolean | string } {
  const property = SUBSCRIPTION_PROPERTIES.find((one) => one === name);
  if (!property) throw badRequest(`${path}property must be one of: ${SUBSCRIPTION_PROPERTIES.join(", ")}.`);
  if (property !== "color") {
    if (typeof value !== "boolean") throw badRequest(`${path}value of ${property} must be true or false.`);
  } else if (!subscriptionColor.safeParse(value).success) {
    throw badRequest(`${path}value of color must be a color like #c2c2c2.`);
  }
  return { property, value };
}

/** In one request. */
const MAX_CHANGES = 1000;

const change = z.object({
  stream_id: z.int(),
  property: z.string().describe(SUBSCRIPTION_PROPERTIES.join(", ")),
  value: z.union([z.boolean(), z.string()]).describe("For color #rrggbb, else true or false."),
});

export const updateSubscriptionSettings = endpoint({
  route: "POST /users/me/subscriptions/properties",
  summary: "Change one's own settings for channels that one is subscribed to.",
  who: "member",
  guests: true,
  params: { subscription_data: json(z.array(change).max(MAX_CHANGES)) },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const changes = params.subscription_data.map(({ stream_id, property, value }, at) => ({
        channel: ownChannel(tx, viewer, stream_id),
        ...validChange(property, value, `subscription_data[${at}].`),
      }));
      for (const one of changes) changeSubscription(tx, viewer, one);
    });
    return {};
  },
});

export const updateSubscriptionProperty = endpoint({
  route: "PATCH /users/me/subscriptions/{stream_id}",
  summary: "Change one of one's own settings for a channel that one is subscribed to.",
  who: "member",
  guests: true,
  params: {
    stream_id: integer(),
    property: text().describe(SUBSCRIPTION_PROPERTIES.join(", ")),
    value: rawOrJson(z.union([z.boolean(), z.string()])).describe("For color #rrggbb, else true or false."),
  },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const channel = ownChannel(tx, viewer, params.stream_id);
      changeSubscription(tx, viewer, { channel, ...validChange(params.property, params.value) });
    });
    return {};
  },
});
