import { z } from "zod";
import { text, textOf } from "../../http/params.ts";
import { assertPushDevice, pushTokenToRemove, refusePush } from "../access/push-tokens.ts";
import { addPushToken, removePushToken } from "../actions/push-tokens.ts";
import { hasPushToken } from "../queries/push-tokens.ts";
import { endpoint } from "./endpoint.ts";

/*
 * The server sends no push notifications (docs/protocol.md#what-is-not-set-up). But clients register their device at
 * each start and show a refusal, so the server stores the tokens.
 */

const MAX_TOKEN_LENGTH = 4096;
const MAX_APP_ID_LENGTH = 255;
const token = textOf(z.string().min(1).max(MAX_TOKEN_LENGTH)).describe(`At most ${MAX_TOKEN_LENGTH} characters.`);
/** In hexadecimal or base64. */
const appleToken = textOf(
  z
    .string()
    .max(MAX_TOKEN_LENGTH)
    .regex(/^[0-9A-Za-z+/]+={0,2}$/, "must be hexadecimal or base64."),
).describe("Hexadecimal or base64.");
const anyPerson = { who: "guest", bots: false } as const;

export const postApnsToken = endpoint({
  route: "POST /users/me/apns_device_token",
  summary: "Register an Apple device for push notifications.",
  ...anyPerson,
  params: {
    token: appleToken,
    appid: textOf(
      z
        .string()
        .regex(/^[.a-zA-Z0-9-]+$/, "must be the ID of an app.")
        .max(MAX_APP_ID_LENGTH),
    ).describe("The app's ID: letters, digits, dots, dashes."),
  },
  handle: ({ viewer, params, reader, transact }) => {
    const device = { kind: "apns", token: params.token } as const;
    if (!hasPushToken(reader, viewer, device)) transact((tx) => addPushToken(tx, viewer, device, params.appid));
  },
});

export const deleteApnsToken = endpoint({
  route: "DELETE /users/me/apns_device_token",
  summary: "Remove an Apple device from push notifications.",
  ...anyPerson,
  params: { token: appleToken },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => removePushToken(tx, viewer, pushTokenToRemove(tx, viewer, { kind: "apns", ...params }))),
});

export const postFcmToken = endpoint({
  route: "POST /users/me/android_gcm_reg_id",
  summary: "Register an Android device for push notifications.",
  ...anyPerson,
  params: { token },
  handle: ({ viewer, params, reader, transact }) => {
    const device = { kind: "fcm", ...params } as const;
    if (!hasPushToken(reader, viewer, device)) transact((tx) => addPushToken(tx, viewer, device));
  },
});

export const deleteFcmToken = endpoint({
  route: "DELETE /users/me/android_gcm_reg_id",
  summary: "Remove an Android device from push notifications.",
  ...anyPerson,
  params: { token },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => removePushToken(tx, viewer, pushTokenToRemove(tx, viewer, { kind: "fcm", ...params }))),
});

export const testPushNotification = endpoint({
  route: "POST /mobile_push/test_notification",
  summary: "Send a test notification to the caller's devices; always refused.",
  ...anyPerson,
  params: { token: text().optional().describe("The device; default: all devices.") },
  handle: ({ viewer, params, reader }) => {
    if (params.token !== undefined) assertPushDevice(reader, viewer, params.token);
    return refusePush();
  },
});
