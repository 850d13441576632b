import { z } from "zod";
import { integer, text } from "../../http/params.ts";
import { sessionDigest } from "../access/sessions.ts";
import {
  assertWebPushIsOn,
  pushAuthSecret,
  pushEndpoint,
  pushPublicKey,
  webPushDeviceToRemove,
} from "../access/web-push.ts";
import { addWebPushDevice, removeWebPushDevice } from "../actions/web-push.ts";
import { ownWebPushDevices, wireWebPushDevice } from "../presenters/web-push.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { endpoint } from "./endpoint.ts";

const anyPerson = { who: "guest", bots: false } as const;
const MAX_USER_AGENT_LENGTH = 300;

export const getWebPush = endpoint({
  route: "GET /users/me/web_push",
  summary: "Get the server's key for Web Push, and list the caller's browsers that get notifications, oldest first.",
  ...anyPerson,
  response: z.object({
    is_on: z.boolean().describe("Whether the operator has turned Web Push on: `WEB_PUSH`."),
    public_key: z
      .string()
      .describe("The `applicationServerKey` of subscriptions, in base64url. Changes with `hearth rotate-secret`."),
    devices: z.array(wireWebPushDevice),
  }),
  handle: ({ viewer, reader, app }) => ({
    is_on: operatorSetting(reader, "WEB_PUSH"),
    public_key: app.webPushKeys.publicKey,
    devices: ownWebPushDevices(reader, viewer),
  }),
});

export const postWebPushDevice = endpoint({
  route: "POST /users/me/web_push/devices",
  summary: "Register a browser's push subscription for the caller's notifications.",
  ...anyPerson,
  params: {
    endpoint: text().describe("The subscription's `endpoint`, an https URL."),
    p256dh: text().describe("The subscription's key `p256dh`, in base64url."),
    auth: text().describe("The subscription's key `auth`, in base64url."),
  },
  response: z.object({ device_id: z.int() }),
  handle: ({ viewer, params, app, transact, baseUrl, session, userAgent }) => {
    const device_id = transact((tx) => {
      assertWebPushIsOn(tx);
      return addWebPushDevice(tx, viewer, {
        endpoint: pushEndpoint(tx, params.endpoint, "endpoint"),
        p256dh: pushPublicKey(params.p256dh, "p256dh"),
        auth: pushAuthSecret(params.auth, "auth"),
        server_key: app.webPushKeys.publicKey,
        origin: baseUrl,
        session: session === undefined ? null : sessionDigest(session),
        user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      });
    });
    return { device_id };
  },
});

export const deleteWebPushDevice = endpoint({
  route: "DELETE /users/me/web_push/devices/{device_id}",
  summary: "Stop notifications to one of the caller's browsers.",
  ...anyPerson,
  params: { device_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => removeWebPushDevice(tx, webPushDeviceToRemove(tx, viewer, params.device_id))),
});
