import { createHmac } from "node:crypto";
import type { IncomingRequest } from "../../server/integrations/incoming/integration.ts";
import { type Outcome, readIncoming } from "../../server/integrations/incoming/reading.ts";
import { integrationNamed } from "../../server/integrations/incoming/registry.ts";

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  form?: Record<string, string>;
}

export const NOW = 1_735_689_600; // 2025-01-01T00:00:00Z

export function request(
  body: unknown,
  { method = "POST", headers = {}, query = {}, form = {} }: Sent = {},
): IncomingRequest {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    url: "https://chat.example/api/v1/external/x?api_key=k",
    headers: Object.fromEntries(lower),
    query: new Map(Object.entries(query)),
    form: new Map(Object.entries(form)),
    body: Buffer.from(typeof body === "string" ? body : (JSON.stringify(body) ?? "")),
    receivedAt: NOW,
  };
}

export const integration = (name: string) => integrationNamed(name)!;

export const outcome = (name: string, body: unknown, sent?: Sent): Outcome =>
  readIncoming(integration(name), request(body, sent));

export function messageOf(
  name: string,
  body: unknown,
  sent?: Sent,
): { topic: string; content: string; event?: string } {
  const all = messagesOf(name, body, sent);
  if (all.length !== 1) throw new Error(`${all.length} messages`);
  return all[0]!;
}

export function messagesOf(name: string, body: unknown, sent?: Sent) {
  const result = outcome(name, body, sent);
  if (result.is !== "messages") throw new Error(JSON.stringify(result));
  return [...result.messages];
}

/** The kind of outcome, with the event if it is not supported. */
export function fate(name: string, body: unknown, sent?: Sent): string {
  const result = outcome(name, body, sent);
  return result.is === "unsupported" ? `unsupported ${result.event}` : result.is;
}

export const hmac = (secret: string, text: string, algorithm = "sha256", encoding: "hex" | "base64" = "hex"): string =>
  createHmac(algorithm, secret).update(text).digest(encoding);
