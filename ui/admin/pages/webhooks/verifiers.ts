/* How receivers check a delivery's signature (docs/protocol.md#outgoing-webhooks); test/webhooks/verifiers.test.ts runs both. */

export const NODE_VERIFIER = `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`body\`: as it came. Refuse what is older than five minutes, and a webhook-id that was handled before. */
function isFromHearth(secret, headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": given } = headers;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = Buffer.from(\`v1,\${createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest("base64")}\`);
  const signature = Buffer.from(given ?? "");
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  return isFresh && signature.length === expected.length && timingSafeEqual(signature, expected);
}
`;

export const PYTHON_VERIFIER = `import base64, hashlib, hmac, time

def is_from_hearth(secret, headers, body):
    """body: the bytes as they came; headers: by names in lower case. Refuse a webhook-id that was handled before."""
    id, sent, given = (headers.get("webhook-" + name, "") for name in ("id", "timestamp", "signature"))
    key = base64.b64decode(secret.replace("whsec_", ""))
    digest = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    is_fresh = sent.isdecimal() and abs(time.time() - int(sent)) < 300
    return is_fresh and hmac.compare_digest(given.encode(), expected)
`;

/** Each header with the key of its text. */
export const SIGNATURE_HEADERS = [
  ["webhook-id", "id"],
  ["webhook-timestamp", "timestamp"],
  ["webhook-signature", "signature"],
] as const;
