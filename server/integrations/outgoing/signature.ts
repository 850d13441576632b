import { createHmac } from "node:crypto";

/**
 * Headers by which a receiver knows who sends, and tells a repeat: those of the Standard Webhooks specification, so
 * that its libraries verify them. Signed is `id.timestamp.body`, by HMAC-SHA256 under the bytes that the secret
 * (`whsec_` and base64) stands for.
 */
export function signatureHeaders(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${digest}` };
}
