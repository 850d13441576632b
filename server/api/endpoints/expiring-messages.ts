import { integer } from "../../http/params.ts";
import { runIteratorInSlices } from "../../http/run-in-slices.ts";
import { channelToAdminister } from "../access/channels.ts";
import { countExpiring, expiringMessages } from "../presenters/expiring-messages.ts";
import { type RetentionDays, retentionDays } from "../queries/retention.ts";
import { endpoint } from "./endpoint.ts";

const FOREVER = -1;

export const getExpiringMessages = endpoint({
  route: "GET /host/expiring_messages",
  summary:
    "What would be deleted if messages were kept for so many days: in one channel, or where the organization says.",
  who: "owner",
  bots: false,
  outsideApi: true,
  params: {
    days: integer({ min: 1 }),
    stream_id: integer().optional().describe("Without it: the organization's time, for all without one of their own."),
  },
  response: expiringMessages,
  handle: (call) => {
    const { viewer, params, reader, app } = call;
    let days: RetentionDays;
    if (params.stream_id === undefined) {
      const others = [...retentionDays(reader).own.keys()].map((id) => [id, FOREVER] as const);
      days = { organization: params.days, own: new Map(others) };
    } else {
      const channel = channelToAdminister(reader, viewer, params.stream_id);
      days = { organization: FOREVER, own: new Map([[channel.id, params.days]]) };
    }
    return runIteratorInSlices(call, countExpiring(reader, app.now(), days));
  },
});
