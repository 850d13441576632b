import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import type { User } from "../../api/queries/users.ts";

const KEY_LENGTH = 32;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export interface ApiKeys {
  /** 32 letters and digits. */
  keyOf(user: Pick<User, "id" | "key_generation">): string;
  /** Takes constant time. */
  matches(user: Pick<User, "id" | "key_generation">, key: string): boolean;
  /** The token in an invitation link: 256 bits, derived from the secret and the stored seed. */
  invitationToken(seed: string): string;
}

/** Keys are not stored. They follow from the secret, the user and a generation, which a rotation increments. */
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

/** Senders sign requests to an incoming webhook with `webhook_secret`. The others belong to outgoing webhooks. */
export type WebhookSecretKind = "webhook_secret" | "token" | "signing_secret";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the secrets of webhooks for the database and its log, with AES-256-GCM and a key derived from `secret.key`.
 * Each is bound to its bot and kind, so that no sealed text can replace another.
 */
export interface WebhookSecrets {
  /** Not deterministic, so call it before the transaction. */
  seal(kind: WebhookSecretKind, botId: number, value: string): string;
  /** Undefined if the text was sealed with another `secret.key`, or for another bot or kind. */
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

/** The key pair that identifies this server to push services (VAPID, RFC 8292), in base64url. */
export interface WebPushKeys {
  /** An uncompressed point of P-256. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The order of P-256. */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 64 bits more than the order: the remainder is uniform (FIPS 186-5, A.2.1). */
const EXTRA_LENGTH = 40;

/** Derived, so a backup with `secret.key` keeps all subscriptions valid. */
export function webPushKeys(secret: Buffer): WebPushKeys {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", "hearth web push", EXTRA_LENGTH));
  const scalar = (BigInt(`0x${bytes.toString("hex")}`) % (P256_ORDER - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}
