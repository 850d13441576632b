import { sep } from "node:path";
import { Failure, type Problem, problem, problemOf } from "../../errors.ts";
import { diskProblem } from "../../storage/errors.ts";

/** The file is a backup whose bytes have changed. */
export class BackupDamaged extends Failure {
  override readonly name = "BackupDamaged";
  constructor(path: string, cause: string) {
    super(problem("backup_damaged", { path, cause }));
  }
}

export class NotABackup extends Failure {
  override readonly name: string = "NotABackup";
  constructor(path: string, what = problem("not_a_backup", { path })) {
    super(what);
  }
}

/** The checksums are valid, but no version of Hearth writes such content. */
export class BackupMalformed extends NotABackup {
  constructor(path: string, part: string) {
    super(path, problem("backup_malformed", { path, part }));
  }
}

export class NoSuchBackup extends Failure {
  override readonly name = "NoSuchBackup";
  constructor(name: string) {
    super(problem("backup_not_found", { name }));
  }
}

/** A newer version of Hearth wrote the backup in an unknown format. */
export class BackupTooNew extends Failure {
  override readonly name = "BackupTooNew";
  constructor(path: string, version: string) {
    super(problem("backup_too_new", { path, version }));
  }
}

/** The passphrase is missing or wrong, or the backup has no secret. */
export class PassphraseRefused extends Failure {
  override readonly name = "PassphraseRefused";
  constructor(what = problem("passphrase_required")) {
    super(what);
  }
}

/** The operator can fix the reason. */
export class BackupFailed extends Failure {
  override readonly name = "BackupFailed";
}

/** An error for users, if creating a backup in `folder` failed. */
export function inWords(error: unknown, folder: string): Error {
  const { path = folder } = error as NodeJS.ErrnoException;
  const isElsewhere = path !== folder && ![sep, "/"].some((separator) => path.startsWith(folder + separator));
  const cause = diskProblem(error);
  if (cause === undefined) return refusedBySystem(error);
  return new BackupFailed(
    isElsewhere ? problem("backup_source_failed", { path, cause }) : problem("backup_write_failed", { folder, cause }),
    { cause: error },
  );
}

/** An error for users, if reading a backup in `folder` failed. */
export function readInWords(error: unknown, folder: string): Error {
  const cause = diskProblem(error);
  if (cause === undefined) return refusedBySystem(error);
  return new BackupFailed(problem("backup_read_failed", { folder, cause }), { cause: error });
}

function refusedBySystem(error: unknown): Error {
  const { path, syscall, code } = error as NodeJS.ErrnoException;
  if (path === undefined || syscall === undefined) return error as Error;
  return new BackupFailed(problem("system_refused_access", { path, code: code ?? syscall }), { cause: error });
}

/** Why a restore failed, if `folder` is unchanged. */
export function restoreProblem(error: unknown, folder: string): Problem {
  const { path = folder } = error as NodeJS.ErrnoException;
  const cause = diskProblem(error);
  if (cause === undefined) return problemOf(refusedBySystem(error));
  // The restored folder is created next to it, with a longer name.
  return !path.startsWith(folder)
    ? problem("restore_source_failed", { folder, path, cause })
    : problem("restore_failed", { folder, cause });
}
