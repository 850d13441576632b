import { integer } from "../../http/params.ts";
import { serverSample } from "../presenters/server-state.ts";
import { ROLES } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";

export const getOperatorState = endpoint({
  route: "GET /host/state",
  summary: "How the server does, now; with `after`, as soon as that has changed, and every two seconds.",
  who: "operator or administrator",
  bots: false,
  outsideApi: true,
  // Changes on the server decide how often a held poll returns, not its client.
  countsTowardsLimit: (fields) => !fields.has("after"),
  params: { after: integer().optional().describe("The sample that the caller has: the answer waits for a newer one.") },
  response: serverSample,
  handle: async (call) => {
    const { app, params, viewer, isOperator } = call;
    const sample = await app.stateFeed.sampleAfter(params.after, (listener) => call.onGone(listener));
    const { host } = sample;
    return {
      ...sample,
      network: app.stateFeed.networkFor(call, sample.network),
      host: isOperator || viewer?.role === ROLES.owner ? host : null,
    };
  },
});
