import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { z } from "zod";
import { decodeChecked, encodeChecked } from "../../storage/files.ts";
import { PassphraseRefused } from "./errors.ts";

/*
 * `secret.key`, under a passphrase: scrypt makes a key of it, and AES-256-GCM encrypts with that. The server keeps the
 * key and not the passphrase, so that it can make backups at night. Whoever may read the data folder has `secret.key`
 * there anyway.
 */

/** scrypt's N: about half a second, and 128 MB of memory, for each guess. */
const COST = 2 ** 17;
/** A damaged file must not ask for more. */
const MAX_COST = 2 ** 20;
const [BLOCK_SIZE, PARALLEL] = [8, 1];
const PURPOSE = Buffer.from("hearth backup: secret.key");
export const MIN_PASSPHRASE = 12;

const base64 = z.string().regex(/^[\w-]+$/);
const powerOfTwo = z
  .int()
  .min(2)
  .max(MAX_COST)
  .refine((n) => Number.isInteger(Math.log2(n)));
const derivation = z.object({ kdf: z.literal("scrypt"), n: powerOfTwo, salt: base64 });
const sealed = derivation.extend({ cipher: z.literal("aes-256-gcm"), iv: base64, tag: base64, data: base64 });

/** What a passphrase was made into. */
export interface BackupKey {
  n: number;
  salt: string;
  key: Buffer;
}

/** Also reads and writes the stored form (`encodeKey`). Throws PassphraseRefused for one that is too short. */
export async function keyOfPassphrase(passphrase: string, cost = COST): Promise<BackupKey> {
  if ([...passphrase].length < MIN_PASSPHRASE)
    throw new PassphraseRefused(`A passphrase has at least ${MIN_PASSPHRASE} characters.`);
  const salt = randomBytes(16).toString("base64url");
  return { n: cost, salt, key: await derive(passphrase, cost, salt) };
}

function derive(passphrase: string, n: number, salt: string): Promise<Buffer> {
  const options = { N: n, r: BLOCK_SIZE, p: PARALLEL, maxmem: 256 * n * BLOCK_SIZE };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFKC"), Buffer.from(salt, "base64url"), 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

export const encodeKey = ({ n, salt, key }: BackupKey): Buffer =>
  encodeChecked({ kdf: "scrypt", n, salt, key: key.toString("base64url") });

/** Undefined for anything that `encodeKey` did not write. */
export function decodeKey(bytes: Buffer): BackupKey | undefined {
  const stored = derivation.extend({ key: base64 }).safeParse(decodeChecked(bytes));
  if (!stored.success) return undefined;
  const { n, salt, key } = stored.data;
  return { n, salt, key: Buffer.from(key, "base64url") };
}

/** The secret as a backup holds it. */
export function sealSecret(secret: Uint8Array, { n, salt, key }: BackupKey): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(PURPOSE);
  const data = Buffer.concat([cipher.update(secret), cipher.final()]);
  const fields = { iv, tag: cipher.getAuthTag(), data };
  const encoded = Object.fromEntries(
    Object.entries(fields).map(([name, bytes]) => [name, bytes.toString("base64url")]),
  );
  return Buffer.from(JSON.stringify({ kdf: "scrypt", n, salt, cipher: "aes-256-gcm", ...encoded }));
}

/** The secret, and the key by which later backups can be made. Throws PassphraseRefused if the passphrase is wrong. */
export async function openSecret(bytes: Buffer, passphrase: string): Promise<{ secret: Buffer; key: BackupKey }> {
  const stored = sealed.safeParse(parsed(bytes)).data;
  if (!stored) throw new PassphraseRefused("The secret key in this backup is malformed. No passphrase opens it.");
  const { n, salt, iv, tag, data } = stored;
  const key = await derive(passphrase, n, salt);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), { authTagLength: 16 })
      .setAAD(PURPOSE)
      .setAuthTag(Buffer.from(tag, "base64url"));
    const start = decipher.update(Buffer.from(data, "base64url"));
    return { secret: Buffer.concat([start, decipher.final()]), key: { n, salt, key } };
  } catch {
    throw new PassphraseRefused("The passphrase is not the one that this backup was made with.");
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
