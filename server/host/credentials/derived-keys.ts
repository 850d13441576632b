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

/** Letters and digits that follow from the secret and a purpose. */
function textFrom(secret: Buffer, purpose: string, length: number): string {
  let rest = BigInt(`0x${createHmac("sha512", secret).update(purpose).digest("hex")}`);
  let text = "";
  for (; text.length < length; rest /= 62n) text += DIGITS[Number(rest % 62n)];
  return text;
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Keys are not stored. They follow from the secret, the user and a generation, which a rotation increments. */
export function apiKeys(secret: Buffer): ApiKeys {
  const keyOf: ApiKeys["keyOf"] = ({ id, key_generation }) =>
    textFrom(secret, `api key ${id} ${key_generation}`, KEY_LENGTH);
  return {
    keyOf,
    matches: (user, key) => isEqual(keyOf(user), key),
    invitationToken: (seed) => createHmac("sha256", secret).update(`invitation ${seed}`).digest("base64url"),
  };
}

/** Names of ntfy topics, which are the credentials of phones. */
export interface NtfyTopics {
  /** `hearth-12-` and 32 letters and digits. ntfy allows at most 64 of them, with `-` and `_`. */
  nameOf(topic: { user_id: number; generation: number }): string;
  /** Takes constant time. */
  matches(topic: { user_id: number; generation: number }, name: string): boolean;
  /** The id in a name, which is not verified; 0 for malformed names. */
  userIdIn(name: string): number;
  /** Begins the ids of this server's ntfy messages: the app ignores a message of another server with the same id. */
  readonly messagePrefix: string;
}

export function ntfyTopics(secret: Buffer): NtfyTopics {
  const nameOf: NtfyTopics["nameOf"] = ({ user_id, generation }) =>
    `hearth-${user_id}-${textFrom(secret, `ntfy topic ${user_id} ${generation}`, KEY_LENGTH)}`;
  return {
    nameOf,
    matches: (topic, name) => isEqual(nameOf(topic), name),
    userIdIn: (name) => Number(/^hearth-([1-9]\d{0,9})-[\dA-Za-z]{32}$/.exec(name)?.[1] ?? 0),
    messagePrefix: textFrom(secret, "ntfy messages", 5),
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
  const { seal, open } = sealing(secret, "hearth webhook secrets");
  const boundTo = (kind: WebhookSecretKind, botId: number) => `${kind} ${botId}`;
  return {
    seal: (kind, botId, value) => seal(boundTo(kind, botId), value),
    open: (kind, botId, sealed) => open(boundTo(kind, botId), sealed),
  };
}

/** Encrypts and decrypts texts. Each sealed text is bound to another text, without which it does not open. */
function sealing(secret: Buffer, purpose: string) {
  const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  return {
    seal(boundTo: string, value: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(boundTo));
      const data = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), data]).toString("base64url");
    },
    open(boundTo: string, sealed: string): string | undefined {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(boundTo))
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

export interface MailKeys {
  /** `boundTo`: the mail server and its user, so that no other server gets the password. */
  sealPassword(boundTo: string, password: string): string;
  openPassword(boundTo: string, sealed: string): string | undefined;
  /** The token of a mailed password reset link: 256 bits, derived from the secret and the stored seed. */
  resetToken(seed: string): string;
  /** Turns off a person's mails about messages without a sign-in. It does not expire, as old mails contain it. */
  unsubscribeToken(userId: number): string;
  /** Undefined for a forged token. */
  userOfUnsubscribeToken(token: string): number | undefined;
}

export function mailKeys(secret: Buffer): MailKeys {
  const { seal, open } = sealing(secret, "hearth mail password");
  const derived = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");
  const unsubscribeToken = (userId: number) => `${userId}-${derived(`unsubscribe ${userId}`)}`;
  return {
    sealPassword: seal,
    openPassword: open,
    resetToken: (seed) => derived(`password reset ${seed}`),
    unsubscribeToken,
    userOfUnsubscribeToken(token) {
      const id = Number(/^(\d{1,15})-/.exec(token)?.[1] ?? 0);
      const [expected, given] = [Buffer.from(unsubscribeToken(id)), Buffer.from(token)];
      return expected.length === given.length && timingSafeEqual(expected, given) ? id : undefined;
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
