import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { User } from "../../api/queries/users.ts";

const KEY_LENGTH = 32;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export interface ApiKeys {
  /** The user's key of the current generation: 32 letters and digits. */
  keyOf(user: Pick<User, "id" | "key_generation">): string;
  /** Whether the key is the user's; takes equally long wherever they differ. */
  matches(user: Pick<User, "id" | "key_generation">, key: string): boolean;
  /** The token of an invitation's link, 256 bits: it is derived from the secret and the stored seed. */
  invitationToken(seed: string): string;
}

/** No key is stored: each is derived from the secret, the user and a generation that rotation raises. */
export function apiKeys(secret: Buffer): ApiKeys {
  const keyOf: ApiKeys["keyOf"] = ({ id, key_generation }) => {
    let rest = BigInt(`0x${createHmac("sha512", secret).update(`api key ${id} ${key_generation}`).digest("hex")}`);
    let key = "";
    for (; key.length < KEY_LENGTH; rest /= 62n) key += DIGITS[Number(rest % 62n)];
    return key;
  };
  return {
    keyOf,
    matches(user, key) {
      const [expected, given] = [Buffer.from(keyOf(user)), Buffer.from(key)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    invitationToken: (seed) => createHmac("sha256", secret).update(`invitation ${seed}`).digest("base64url"),
  };
}

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
