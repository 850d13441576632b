import { createHash } from "node:crypto";
import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import type { User } from "../queries/users.ts";
import { type WebPushDevice, webPushDevicesOf } from "../queries/web-push.ts";
import { browserOf } from "./sessions.ts";

export const wireWebPushDevice = z.object({
  id: z.int(),
  endpoint_digest: z
    .string()
    .describe("SHA-256 of the subscription's endpoint, in base64url, by which a browser recognizes itself."),
  browser: z.string().describe("Name of the browser, such as `Firefox`; empty if unknown."),
  system: z.string().describe("Operating system, such as `Windows`; empty if unknown."),
  push_service: z.string().describe("Hostname of the push service."),
  created_at: z.int().describe("Milliseconds since the epoch."),
  failure: z
    .int()
    .nullable()
    .describe("HTTP status of the last attempt if it failed; 0 without a connection; `null` if it did not fail."),
});
export type WireWebPushDevice = z.output<typeof wireWebPushDevice>;

const onWire = (device: WebPushDevice): WireWebPushDevice => ({
  id: device.id,
  endpoint_digest: createHash("sha256").update(device.endpoint).digest("base64url"),
  ...browserOf(device),
  push_service: new URL(device.endpoint).host,
  created_at: device.created_at,
  failure: device.failure,
});

/** The viewer's own devices, oldest first, without what sending to them needs. */
export const ownWebPushDevices = (reader: Reader, viewer: User): WireWebPushDevice[] =>
  webPushDevicesOf(reader, viewer.id).map(onWire);
