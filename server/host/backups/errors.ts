import { sep } from "node:path";
import { reasonOf } from "../../storage/errors.ts";

/** The file is a backup whose bytes have changed. */
export class BackupDamaged extends Error {
  override readonly name = "BackupDamaged";
  constructor(path: string, problem: string) {
    super(`${path} is damaged: ${problem}. Use another backup.`);
  }
}

export class NotABackup extends Error {
  override readonly name: string = "NotABackup";
  constructor(path: string) {
    super(`${path} is not a backup of Hearth.`);
  }
}

/** The checksums are valid, but no version of Hearth writes such content. */
export class BackupMalformed extends NotABackup {
  constructor(path: string, part: string) {
    super(path);
    this.message = `${path} is not a Hearth backup: its ${part} is malformed.`;
  }
}

export class NoSuchBackup extends Error {
  override readonly name = "NoSuchBackup";
  constructor(name: string) {
    super(`There is no backup ${name}.`);
  }
}

/** A newer version of Hearth wrote the backup in an unknown format. */
export class BackupTooNew extends Error {
  override readonly name = "BackupTooNew";
  constructor(path: string, version: string) {
    super(`${path} was made by Hearth ${version}, which is newer than this one. Update Hearth first.`);
  }
}

const MISSING_PASSPHRASE =
  "This backup holds the keys of the organization's apps and bots, under a passphrase. Give the passphrase, or choose to end all keys.";

/** The passphrase is missing or wrong, or the backup has no secret. */
export class PassphraseRefused extends Error {
  override readonly name = "PassphraseRefused";
  constructor(message = MISSING_PASSPHRASE) {
    super(message);
  }
}

/** The operator can fix the reason. */
export class BackupFailed extends Error {
  override readonly name = "BackupFailed";
}

/** An error for users, if creating a backup in `folder` failed. */
export function inWords(error: unknown, folder: string): Error {
  const { path = folder } = error as NodeJS.ErrnoException;
  const isElsewhere = path !== folder && !path.startsWith(folder + sep);
  const reason = reasonOf(error);
  if (reason === undefined) return refusedBySystem(error);
  return new BackupFailed(
    isElsewhere
      ? `The backup could not be made, because of ${path}: ${reason}.`
      : `The backup could not be written to ${folder}: ${reason}.`,
    { cause: error },
  );
}

/** An error for users, if reading a backup in `folder` failed. */
export function readInWords(error: unknown, folder: string): Error {
  const reason = reasonOf(error);
  if (reason === undefined) return refusedBySystem(error);
  return new BackupFailed(`The backups in ${folder} cannot be read: ${reason}.`, { cause: error });
}

function refusedBySystem(error: unknown): Error {
  const { path, syscall, code } = error as NodeJS.ErrnoException;
  if (path === undefined || syscall === undefined) return error as Error;
  return new BackupFailed(`${path}: the system refuses to use it (${code}).`, { cause: error });
}

/** A message for users, if a restore failed and `folder` is unchanged. */
export function restoreInWords(error: unknown, folder: string): string {
  const { path = folder } = error as NodeJS.ErrnoException;
  const reason = reasonOf(error);
  if (reason === undefined) return refusedBySystem(error).message;
  // The restored folder is created next to it, with a longer name.
  return !path.startsWith(folder)
    ? `${folder} could not be restored, because of ${path}: ${reason}.`
    : `${folder} could not be restored: ${reason}.`;
}
