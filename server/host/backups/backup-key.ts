import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { problem } from "../../errors.ts";
import { decodeChecked, encodeChecked, type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";
import { PassphraseRefused } from "./errors.ts";

/*
 * Encrypts `secret.key` for backups. scrypt derives a key from the passphrase, for AES-256-GCM. The server stores the
 * key in `backup.key`, so that it can create backups automatically. That reveals nothing: `secret.key` is next to it.
 */

/** scrypt's N. Each guess takes about half a second and 128 MB of memory. */
const COST = 2 ** 17;
/** Limits memory for damaged files. */
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

/** Derived from a passphrase. */
export interface BackupKey {
  n: number;
  salt: string;
  key: Buffer;
}

/** Throws PassphraseRefused if the passphrase is too short. */
export async function keyOfPassphrase(passphrase: string, cost = COST): Promise<BackupKey> {
  if ([...passphrase].length < MIN_PASSPHRASE)
    throw new PassphraseRefused(problem("passphrase_too_short", { count: MIN_PASSPHRASE }));
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

/** Undefined if `encodeKey` did not write the bytes. */
export function decodeKey(bytes: Buffer): BackupKey | undefined {
  const stored = derivation.extend({ key: base64 }).safeParse(decodeChecked(bytes));
  if (!stored.success) return undefined;
  const { n, salt, key } = stored.data;
  return { n, salt, key: Buffer.from(key, "base64url") };
}

/** Encrypts the secret for a backup. */
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

/** Returns the secret, and the key for later backups. Throws PassphraseRefused if the passphrase is wrong. */
export async function openSecret(bytes: Buffer, passphrase: string): Promise<{ secret: Buffer; key: BackupKey }> {
  const stored = sealed.safeParse(parsed(bytes)).data;
  if (!stored) throw new PassphraseRefused(problem("backup_secret_malformed"));
  const { n, salt, iv, tag, data } = stored;
  const key = await derive(passphrase, n, salt);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), { authTagLength: 16 })
      .setAAD(PURPOSE)
      .setAuthTag(Buffer.from(tag, "base64url"));
    const start = decipher.update(Buffer.from(data, "base64url"));
    return { secret: Buffer.concat([start, decipher.final()]), key: { n, salt, key } };
  } catch {
    throw new PassphraseRefused(problem("wrong_passphrase"));
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** In the data folder, never in a backup. */
export const KEY_FILE = "backup.key";

/** Undefined if no passphrase is set. Throws if the file is damaged. */
export function readKey(folder: string, files: Files = realFiles): BackupKey | undefined {
  const path = join(folder, KEY_FILE);
  if (!files.exists(path)) return undefined;
  const key = decodeKey(readFully(files, path));
  if (!key) throw new Error(`${path} is damaged: set the passphrase of backups again. Until then no backup is made.`);
  return key;
}

/** Later backups contain `secret.key`. Throws PassphraseRefused if the passphrase is too short. */
export async function setPassphrase(folder: string, passphrase: string, cost?: number): Promise<void> {
  replaceFile(realFiles, folder, KEY_FILE, encodeKey(await keyOfPassphrase(passphrase, cost)));
}

/** Later backups do not contain `secret.key`. Existing backups do not change. */
export function removePassphrase(folder: string): void {
  realFiles.remove(join(folder, KEY_FILE));
  realFiles.syncFolder(folder);
}
