import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { json, listOf } from "../../http/params.ts";
import { principals } from "../access/subscriptions.ts";
import { ROLES } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { channelNamesByUser, MAX_CHANNELS, ORDINARY_CHANNEL, requestedChannel } from "./subscription-params.ts";
import { doInSlices, Joining, join, Leaving, leave } from "./subscription-slices.ts";

export const unsubscribeUsers = endpoint({
  route: "DELETE /users/me/subscriptions",
  summary: "Unsubscribe from channels.",
  who: "member",
  guests: true,
  params: {
    subscriptions: listOf(z.string()).describe("Channel names."),
    principals: listOf(z.union([z.int(), z.string()]))
      .optional()
      .describe("User IDs or addresses; the caller if left out."),
  },
  response: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  handle: async (call) => {
    const { viewer, params, reader } = call;
    const done = new Leaving();
    const users = principals(reader, viewer, params.principals);
    await doInSlices(call, [leave({ names: params.subscriptions, users }, done)]);
    return { removed: [...done.removed], not_removed: [...done.notRemoved] };
  },
});

export const updateSubscriptions = endpoint({
  route: "PATCH /users/me/subscriptions",
  summary: "Unsubscribe from some channels and subscribe to others.",
  who: "member",
  guests: true,
  params: {
    delete: listOf(z.string()).optional().describe("Channel names."),
    add: json(z.array(requestedChannel).max(MAX_CHANNELS)).optional(),
  },
  response: z.object({
    subscribed: z.record(z.string(), z.array(z.string())).describe("Channel names by user ID."),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
  }),
  handle: async (call) => {
    const { viewer, params } = call;
    const { delete: names = [], add: requested = [] } = params;
    if (names.length === 0 && requested.length === 0)
      throw badRequest("Name channels in add, in delete or in both.", { parameters: "add, delete" });
    if (requested.length > 0 && viewer.role === ROLES.guest)
      throw badRequest("Guests may not subscribe themselves: insufficient permission.");
    const users = [viewer];
    const notices = { announce: false, notifyUsers: false };
    const [left, joined] = [new Leaving(), new Joining()];
    await doInSlices(call, [
      leave({ names, users }, left),
      join({ requested, users, input: ORDINARY_CHANNEL, errorsAreFatal: true, notices }, joined),
    ]);
    return {
      subscribed: channelNamesByUser(joined.subscribed),
      already_subscribed: channelNamesByUser(joined.already),
      removed: [...left.removed],
      not_removed: [...left.notRemoved],
    };
  },
});
