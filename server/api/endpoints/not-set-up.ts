import { z } from "zod";
import { ApiError, badRequest, because, problem } from "../../errors.ts";
import { boolean, oneOf, text, textOf } from "../../http/params.ts";
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

const pushServiceNotConfigured = () => new ApiError("PUSH_SERVICE_NOT_CONFIGURED", problem("push_not_supported"));

const refuse = (): never => {
  throw pushServiceNotConfigured();
};

const MAX_TOKEN_LENGTH = 4096;
const token = textOf(z.string().min(1).max(MAX_TOKEN_LENGTH)).describe(`At most ${MAX_TOKEN_LENGTH} characters.`);
/** In hexadecimal or base64. */
const appleToken = textOf(
  z
    .string()
    .max(MAX_TOKEN_LENGTH)
    .regex(/^[0-9A-Za-z+/]+={0,2}$/, "must be hexadecimal or base64."),
).describe("Hexadecimal or base64.");
const base64 = textOf(z.base64("must be base64.").min(1)).describe("Standard base64 (RFC 4648).");
const anyPerson = { who: "guest", bots: false } as const;

export const postApnsToken = endpoint({
  route: "POST /users/me/apns_device_token",
  summary: "Register an Apple device for push notifications; always refused.",
  ...anyPerson,
  params: {
    token: appleToken,
    appid: textOf(z.string().regex(/^[.a-zA-Z0-9-]+$/, "must be the ID of an app.")).describe(
      "The app's ID: letters, digits, dots, dashes.",
    ),
  },
  handle: refuse,
});

export const deleteApnsToken = endpoint({
  route: "DELETE /users/me/apns_device_token",
  summary: "Remove an Apple device from push notifications; always refused.",
  ...anyPerson,
  params: { token: appleToken },
  handle: refuse,
});

export const postFcmToken = endpoint({
  route: "POST /users/me/android_gcm_reg_id",
  summary: "Register an Android device for push notifications; always refused.",
  ...anyPerson,
  params: { token },
  handle: refuse,
});

export const deleteFcmToken = endpoint({
  route: "DELETE /users/me/android_gcm_reg_id",
  summary: "Remove an Android device from push notifications; always refused.",
  ...anyPerson,
  params: { token },
  handle: refuse,
});

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
  handle: refuse,
});

export const testPushNotification = endpoint({
  route: "POST /mobile_push/test_notification",
  summary: "Send a test notification to the caller's devices; always refused.",
  ...anyPerson,
  params: { token: text().optional().describe("The device; default: all devices.") },
  handle: ({ params }) => {
    if (params.token !== undefined) throw new ApiError("INVALID_PUSH_DEVICE_TOKEN", problem("push_token_not_found"));
    return refuse();
  },
});

export const testEncryptedPushNotification = endpoint({
  route: "POST /mobile_push/e2ee/test_notification",
  summary: "Send an encrypted test notification to the caller's devices; always refused.",
  ...anyPerson,
  params: { push_account_id: accountId.optional() },
  handle: refuse,
});
