import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** `webhook_secret`: senders to an incoming webhook sign with it. The others belong to an outgoing webhook. */
export type WebhookSecretKind = "webhook_secret" | "token" | "signing_secret";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The secrets of webhooks, as the database and its log hold them: AES-256-GCM under a key that follows from
 * `secret.key`. Each is bound to its bot and its use, so that a sealed text cannot be put in the place of another one.
 */
export interface WebhookSecrets {
  /** Random each time: seal once, and store the result. */
  seal(kind: WebhookSecretKind, botId: number, value: string): string;
  /** Undefined for a text that was sealed under another `secret.key`, for another bot or another use. */
  open(kind: WebhookSecretKind, botId: number, sealed: string): string | undefined;
}

export function webhookSecrets(secret: Buffer): WebhookSecrets {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "hearth webhook secrets", 32));
  const boundTo = (kind: WebhookSecretKind, botId: number) => Buffer.from(`${kind} ${botId}`);
  return {
    seal(kind, botId, value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(boundTo(kind, botId));
      const data = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), data]).toString("base64url");
    },
    open(kind, botId, sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(boundTo(kind, botId))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const start = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([start, decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
