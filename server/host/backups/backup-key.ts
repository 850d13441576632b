import { join } from "node:path";
import { type Files, readFully, realFiles, replaceFile } from "../../storage/files.ts";
import { type BackupKey, decodeKey, encodeKey, keyOfPassphrase } from "./sealed-secret.ts";

/** In the data folder, and never in a backup. */
export const KEY_FILE = "backup.key";

/** The key with which backups are made; undefined without a passphrase. Throws for a damaged file. */
export function readKey(folder: string, files: Files = realFiles): BackupKey | undefined {
  const path = join(folder, KEY_FILE);
  if (!files.exists(path)) return undefined;
  const key = decodeKey(readFully(files, path));
  if (!key) throw new Error(`${path} is damaged: set the passphrase of backups again. Until then no backup is made.`);
  return key;
}

/** Makes backups hold `secret.key` from now on. Throws PassphraseRefused for a passphrase that is too short. */
export async function setPassphrase(folder: string, passphrase: string, cost?: number): Promise<void> {
  replaceFile(realFiles, folder, KEY_FILE, encodeKey(await keyOfPassphrase(passphrase, cost)));
}

/** Backups hold no `secret.key` from now on; those that there are keep theirs. */
export function removePassphrase(folder: string): void {
  realFiles.remove(join(folder, KEY_FILE));
  realFiles.syncFolder(folder);
}
