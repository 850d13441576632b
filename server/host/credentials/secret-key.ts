import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { NoOrganization } from "../../errors.ts";
import { decodeChecked, encodeChecked, type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";
import { holdsData } from "../../storage/recovery.ts";

const SECRET_BYTES = 32;
/** 32 bytes as base64url. */
const storedSecret = z.object({ secret: z.string().length(43) });
const encode = (secret: Uint8Array): Buffer => encodeChecked({ secret: Buffer.from(secret).toString("base64url") });

const SECRET_FILE = "secret.key";
const secretFile = (folder: string) => join(folder, SECRET_FILE);

/** With other bytes, every derived key and sealed secret would silently become invalid. */
export class SecretDamaged extends Error {
  override readonly name = "SecretDamaged";
  constructor(file: string, hasNoChecksum: boolean) {
    super(
      `${file} ${hasNoChecksum ? "has no checksum: an early version of Hearth wrote it" : "is damaged"}. ` +
        `Copy the data folder first. "hearth restore" with --secret-only takes the file from a backup that has a ` +
        `passphrase, and loses nothing. Without such a backup, "hearth rotate-secret" makes a new one: API keys, ` +
        "invitation links and webhook secrets are void then.",
    );
  }
}

/** Never replaces a missing secret next to existing data, because all keys would change. */
export function readSecret(folder: string): Buffer {
  const file = secretFile(folder);
  if (!existsSync(file)) {
    if (!holdsData(realFiles, folder)) throw new NoOrganization(folder);
    throw new Error(
      `${file} is missing, though there is data next to it, and every API key depends on it. "hearth restore" with ` +
        "--secret-only takes it from a backup that has a passphrase, and loses nothing.",
    );
  }
  const bytes = readFully(realFiles, file);
  const stored = storedSecret.safeParse(decodeChecked(bytes)).data;
  if (!stored) throw new SecretDamaged(file, bytes.length === SECRET_BYTES);
  return Buffer.from(stored.secret, "base64url");
}

/** Creates the secret of a new data folder, flushed to disk. An existing secret stays. */
export function createSecret(folder: string): Buffer {
  if (existsSync(secretFile(folder)) || holdsData(realFiles, folder)) return readSecret(folder);
  const secret = randomBytes(SECRET_BYTES);
  replaceFile(realFiles, folder, SECRET_FILE, encode(secret)); // atomic: half a secret would prevent every start
  return secret;
}

/**
 * Replaces the secret of a data folder while no server runs there, and flushes it to disk. All earlier API keys become
 * invalid. Also works if the secret is missing or damaged.
 */
export function rotateSecret(folder: string, files: Files = realFiles): void {
  if (!holdsData(files, folder)) throw new NoOrganization(folder);
  replaceFile(files, folder, SECRET_FILE, encode(randomBytes(SECRET_BYTES)));
}

/** Flushed to disk when this returns. */
export function writeSecret(folder: string, secret: Buffer, files: Files = realFiles): void {
  replaceFile(files, folder, SECRET_FILE, encode(secret));
}
