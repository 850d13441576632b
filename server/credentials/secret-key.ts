import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NoOrganization } from "../errors.ts";
import { type Files, readFully, realFiles, replaceFile } from "../storage/files.ts";
import { holdsData } from "../storage/recovery.ts";

const SECRET_BYTES = 32;

const SECRET_FILE = "secret.key";
const secretFile = (folder: string) => join(folder, SECRET_FILE);

/** The secret of a data folder. A missing one is never replaced beside existing data: all keys would change. */
export function readSecret(folder: string): Buffer {
  const file = secretFile(folder);
  if (!existsSync(file)) {
    if (!holdsData(realFiles, folder)) throw new NoOrganization(folder);
    throw new Error(
      `${file} is missing, though there is data beside it. Put it back from a backup: every API key depends on it.`,
    );
  }
  const secret = readFully(realFiles, file);
  if (secret.length !== SECRET_BYTES) {
    throw new Error(
      `${file} is damaged (${secret.length} bytes instead of ${SECRET_BYTES}). Put it back from a backup.`,
    );
  }
  return secret;
}

/** Creates the secret of a new data folder, on disk when this returns; an existing one stays. */
export function createSecret(folder: string): Buffer {
  if (existsSync(secretFile(folder)) || holdsData(realFiles, folder)) return readSecret(folder);
  const secret = randomBytes(SECRET_BYTES);
  replaceFile(realFiles, folder, SECRET_FILE, secret); // all or nothing: half a secret would stop every start
  return secret;
}

/**
 * Gives a data folder that no server has open a new secret, on disk when this returns: all earlier API keys are void.
 * A crash leaves either the old secret or the new one. A lost or damaged secret is replaced too.
 */
export function rotateSecret(folder: string, files: Files = realFiles): void {
  if (!holdsData(files, folder)) throw new NoOrganization(folder);
  replaceFile(files, folder, SECRET_FILE, randomBytes(SECRET_BYTES));
}

/** Gives a data folder that is being made the secret that it is to have, on disk when this returns. */
export function writeSecret(folder: string, secret: Buffer, files: Files = realFiles): void {
  replaceFile(files, folder, SECRET_FILE, secret);
}
