import { z } from "zod";
import { ApiError } from "../../errors.ts";
import { oneOf, text, textOf } from "../../http/params.ts";
import { endpoint } from "./endpoint.ts";

/*
 * Hearth sends no push notifications: that takes a service on the internet with keys from the makers of the phones. So
 * a registration is checked, and then refused in a way that clients understand (docs/protocol.md#what-is-not-set-up).
 */

const pushServiceNotConfigured = () =>
  new ApiError("PUSH_SERVICE_NOT_CONFIGURED", "This server sends no push notifications to phones.");

const refuse = (): never => {
  throw pushServiceNotConfigured();
};

const MAX_TOKEN_LENGTH = 4096;
const token = textOf(z.string().min(1).max(MAX_TOKEN_LENGTH)).describe(`At most ${MAX_TOKEN_LENGTH} characters.`);
/** Apple's tokens are sent in hexadecimal or in base64. */
const appleToken = textOf(
  z
    .string()
    .max(MAX_TOKEN_LENGTH)
    .regex(/^[0-9A-Za-z+/]+={0,2}$/, "must be hexadecimal or base64."),
).describe("Hexadecimal or base64.");
const base64 = textOf(z.base64("must be base64.").min(1)).describe("Standard base64 (RFC 4648).");
const people = { who: "member", guests: true, bots: false } as const;

export const postApnsToken = endpoint({
  route: "POST /users/me/apns_device_token",
  summary: "Register an Apple device for push notifications; always refused.",
  ...people,
  params: {
    token: appleToken,
    appid: textOf(z.string().regex(/^[.a-zA-Z0-9-]+$/, "must be the ID of an app.")).describe(
      "The ID of the app: letters, digits, dots, dashes.",
    ),
  },
  handle: refuse,
});

export const deleteApnsToken = endpoint({
  route: "DELETE /users/me/apns_device_token",
  summary: "Remove an Apple device from push notifications; always refused.",
  ...people,
  params: { token: appleToken },
  handle: refuse,
});

export const postFcmToken = endpoint({
  route: "POST /users/me/android_gcm_reg_id",
  summary: "Register an Android device for push notifications; always refused.",
  ...people,
  params: { token },
  handle: refuse,
});

export const deleteFcmToken = endpoint({
  route: "DELETE /users/me/android_gcm_reg_id",
  summary: "Remove an Android device from push notifications; always refused.",
  ...people,
  params: { token },
  handle: refuse,
});

const isInteger64 = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

// Random and of 64 bits, which a number of JavaScript does not hold.
const accountId = textOf(z.string().refine(isInteger64, "must be an integer of 64 bits.")).describe(
  "An integer of 64 bits.",
);

export const registerPushDevice = endpoint({
  route: "POST /mobile_push/register",
  summary: "Register a device for encrypted push notifications; always refused.",
  ...people,
  params: {
    token_kind: oneOf("fcm", "apns"),
    push_account_id: accountId,
    push_public_key: base64,
    bouncer_public_key: text().describe("Which key of the push service was used."),
    encrypted_push_registration: base64,
  },
  handle: refuse,
});

export const testPushNotification = endpoint({
  route: "POST /mobile_push/test_notification",
  summary: "Send a test notification to one's devices; always refused.",
  ...people,
  params: { token: text().optional().describe("The device; without it, all of them.") },
  handle: ({ params }) => {
    if (params.token !== undefined)
      throw new ApiError("INVALID_PUSH_DEVICE_TOKEN", "No device is registered with this token.");
    return refuse();
  },
});

export const testEncryptedPushNotification = endpoint({
  route: "POST /mobile_push/e2ee/test_notification",
  summary: "Send an encrypted test notification to one's devices; always refused.",
  ...people,
  params: { push_account_id: accountId.optional() },
  handle: refuse,
});
