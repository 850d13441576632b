import { z } from "zod";
import { badRequest, because } from "../../errors.ts";
import { boolean, oneOf, text, textOf } from "../../http/params.ts";
import { refusePush } from "../access/push-tokens.ts";
import { endpoint } from "./endpoint.ts";
import { narrowParam } from "./narrow-params.ts";

/*
 * Calls that need external services, which Hearth does not use (docs/protocol.md#what-is-not-set-up). Clients get the
 * reason instead of "not found".
 */

const people = { who: "guest" } as const;

export const getSummary = endpoint({
  route: "GET /messages/summary",
  summary: "Summarize messages with a language model; always refused.",
  ...people,
  params: { narrow: narrowParam.optional() },
  response: z.object({ summary: z.string() }),
  handle: () => {
    throw badRequest("summaries_not_supported");
  },
});

export const createZoomCall = endpoint({
  route: "POST /calls/zoom/create",
  summary: "Create a video call with Zoom; always refused.",
  ...people,
  params: { is_video_call: boolean().optional() },
  response: z.object({ url: z.string() }),
  handle: () => {
    throw badRequest("zoom_not_configured");
  },
});

export const createBigBlueButtonCall = endpoint({
  route: "GET /calls/bigbluebutton/create",
  summary: "Create a video call with BigBlueButton; always refused.",
  ...people,
  params: { meeting_name: text(), voice_only: boolean().optional() },
  response: z.object({ url: z.string() }),
  handle: () => {
    throw badRequest("bigbluebutton_not_configured");
  },
});

export const fetchApiKeyByJwt = endpoint({
  route: "POST /jwt/fetch_api_key",
  summary: "Sign in with a token of another service; always refused.",
  who: "anyone",
  ignoreCredentials: true,
  params: { token: text(), include_profile: boolean().optional() },
  response: z.object({ api_key: z.string(), email: z.string() }),
  handle: () => {
    throw badRequest("token_sign_in_not_configured");
  },
});

const isNoTestServer = () => badRequest("dev_sign_in_disabled");

export const fetchApiKeyForTests = endpoint({
  route: "POST /dev_fetch_api_key",
  summary: "Sign in without a password, on test servers; always refused.",
  who: "anyone",
  ignoreCredentials: true,
  params: { username: text() },
  response: z.object({ api_key: z.string(), email: z.string() }),
  handle: () => {
    throw isNoTestServer();
  },
});

export const listUsersForTests = endpoint({
  route: "GET /dev_list_users",
  summary: "List users for signing in, on test servers; always refused.",
  who: "anyone",
  ignoreCredentials: true,
  handle: () => {
    throw isNoTestServer();
  },
});

/*
 * Push notifications need an internet service with keys from phone manufacturers. So a registration is validated and
 * then refused with an error that clients understand (docs/protocol.md#what-is-not-set-up).
 */

const base64 = textOf(z.base64("must be base64.").min(1)).describe("Standard base64 (RFC 4648).");
const anyPerson = { who: "guest", bots: false } as const;

const isInteger64 = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

// A random 64-bit integer, which a JavaScript number cannot hold.
const accountId = textOf(z.string().refine(isInteger64, because("not_64_bit_integer"))).describe("A 64-bit integer.");

export const registerPushDevice = endpoint({
  route: "POST /mobile_push/register",
  summary: "Register a device for encrypted push notifications; always refused.",
  ...anyPerson,
  params: {
    token_kind: oneOf("fcm", "apns"),
    push_account_id: accountId,
    push_public_key: base64,
    bouncer_public_key: text().describe("The public key of the push service."),
    encrypted_push_registration: base64,
  },
  handle: refusePush,
});

export const testEncryptedPushNotification = endpoint({
  route: "POST /mobile_push/e2ee/test_notification",
  summary: "Send an encrypted test notification to the caller's devices; always refused.",
  ...anyPerson,
  params: { push_account_id: accountId.optional() },
  handle: refusePush,
});
