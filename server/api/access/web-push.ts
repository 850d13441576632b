import { ECDH } from "node:crypto";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { badRequest, notFound, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import type { User } from "../queries/users.ts";
import { type WebPushDevice, webPushDevice } from "../queries/web-push.ts";
import { reasonAgainstTarget, type WebhookTargets } from "./webhook-addresses.ts";

export function assertWebPushIsOn(reader: Reader): void {
  if (!operatorSetting(reader, "WEB_PUSH")) throw badRequest("web_push_off");
}

export function webPushDeviceToRemove(reader: Reader, viewer: User, id: number): WebPushDevice {
  const device = webPushDevice(reader, id);
  if (device?.user_id !== viewer.id) throw notFound("web_push_device_not_found");
  return device;
}

/** Push services are on the internet. Without this, everyone could make the server post into its own network. */
export const pushServiceTargets = (reader: Reader): WebhookTargets => ({
  privateNetwork: false,
  listed: operatorSetting(reader, "WEBHOOK_ALLOWED_HOSTS"),
});

const MAX_ENDPOINT_LENGTH = 1000;

/** Validates the URL. A literal IP address is checked now; a hostname is checked at each connection. */
export function pushEndpoint(reader: Reader, given: string, parameter: string): string {
  const url = given.length <= MAX_ENDPOINT_LENGTH && URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "" || url.hash !== "")
    throw refusedParameter(parameter, "push_endpoint_invalid", { count: MAX_ENDPOINT_LENGTH });
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const isBlocked =
    ipaddr.isValid(name) &&
    reasonAgainstTarget(pushServiceTargets(reader), {
      name,
      address: name,
      port: Number(url.port || 443),
      interfaces: networkInterfaces(),
    }) !== undefined;
  if (isBlocked) throw refusedParameter(parameter, "push_endpoint_blocked", { target: name });
  return url.href;
}

const AUTH_LENGTH = 16;
const POINT_LENGTH = 65;
const MAX_KEY_CHARACTERS = 100;

/** The browser's public key: an uncompressed point of P-256, in base64url. */
export function pushPublicKey(given: string, parameter: string): string {
  const bytes = keyBytes(given, parameter, POINT_LENGTH);
  try {
    ECDH.convertKey(bytes, "prime256v1"); // throws if the point is not on the curve
  } catch {
    throw refusedParameter(parameter, "push_key_invalid");
  }
  return bytes.toString("base64url");
}

/** The browser's secret, in base64url. */
export const pushAuthSecret = (given: string, parameter: string): string =>
  keyBytes(given, parameter, AUTH_LENGTH).toString("base64url");

function keyBytes(given: string, parameter: string, length: number): Buffer {
  const isText = given.length <= MAX_KEY_CHARACTERS && /^[\w+/-]+={0,2}$/.test(given);
  const bytes = Buffer.from(isText ? given : "", "base64url");
  if (bytes.length !== length) throw refusedParameter(parameter, "push_key_invalid");
  return bytes;
}
