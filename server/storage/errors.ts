/** The log cannot be written or flushed: the store accepts nothing until the server starts again from disk. */
export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(cause: unknown) {
    super(`Storage failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The data folder was deleted while the server ran. */
export class LogDeleted extends Error {
  override readonly name = "LogDeleted";
  constructor(path: string) {
    super(
      `${path} was deleted while Hearth was running, probably with the whole data folder. Nothing can be saved any more, so Hearth stops. Put the folder back, or choose a backup of it.`,
    );
  }
}

/** Another Hearth may use the data folder. */
export class FolderTaken extends Error {
  override readonly name = "FolderTaken";
  constructor(folder: string) {
    super(
      `Another Hearth has taken ${folder} while this one was running, or its file lock was moved or changed. Nothing can be saved any more, so Hearth stops. Make sure that no other Hearth uses the folder, and start this one again.`,
    );
  }
}

/** The disk has no room for another record. The store has not changed anything. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
  constructor() {
    super("The disk that holds Hearth's data is full. Nothing was changed; make room on it and try again.");
  }
}

/** Whether an error means that the disk is full. */
export const isLackOfRoom = (error: unknown): boolean =>
  error instanceof StorageFull || ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Storage cannot take another record at the moment, though the disk is not full. It has not changed anything. */
export class StorageBusy extends Error {
  override readonly name = "StorageBusy";
  constructor(cause?: Error) {
    const why = cause ? ` (${cause.message})` : "";
    super(`The disk has not caught up with what was written${why}. Nothing was changed; try again.`, { cause });
  }
}

/** The server is stopping. */
export class StorageClosed extends Error {
  override readonly name = "StorageClosed";
  constructor() {
    super("The server is stopping.");
  }
}

/** The record of a transaction is larger than the log allows. The transaction was rolled back. */
export class RecordTooLarge extends Error {
  override readonly name = "RecordTooLarge";
  constructor(bytes: number, limit: number) {
    super(`The change needs ${bytes} bytes of log; one change may take ${limit}. Nothing was changed; do it in parts.`);
  }
}

const KEEP_A_COPY =
  "Keep a copy of the data folder as it is, then restore the newest backup, or ask for help with that copy.";

/** The files may lack acknowledged changes: the start fails, and names the file and what to do. */
export class StorageDamaged extends Error {
  override readonly name: string = "StorageDamaged";
  readonly file: string;
  readonly problem: string;
  constructor(
    file: string,
    problem: string,
    {
      result = "Hearth does not start, so that nothing more is lost",
      cause,
    }: { result?: string; cause?: unknown } = {},
  ) {
    super(`${file}: ${problem}. ${result}. ${KEEP_A_COPY}`, { cause });
    this.file = file;
    this.problem = problem;
  }
}

/** A page of the database is damaged or cannot be read. Requests that need it fail; everything else works. */
export class PageDamaged extends StorageDamaged {
  override readonly name = "PageDamaged";
  /** Counts from 0. */
  readonly page: number;
  constructor(file: string, page: number, cause?: unknown) {
    const problem =
      cause === undefined
        ? `page ${page + 1} is damaged or was changed by another program`
        : `page ${page + 1} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`;
    super(file, problem, { result: "What it contains is neither shown nor changed", cause });
    this.page = page;
  }
}

/** The data was written by a newer Hearth. */
export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
  constructor(file: string, found: number, supported: number, of: "schema" | "format" = "schema") {
    super(`${file}: written by a newer Hearth (${of} ${found}, this one knows ${supported}). Start the newer version.`);
  }
}

/*
 * Texts for errors of the operating system. Node's fs does not name the file in errors of an open file: files.ts adds
 * it.
 */

type SystemError = NodeJS.ErrnoException;

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "there is no room left on its disk",
  EDQUOT: "there is no room left on its disk",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk takes no changes",
  ENOENT: "it is not there",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "it is a folder",
  EIO: "its disk reports errors",
};

/** Why a file or folder cannot be used: the end of a sentence that names it. */
export const reasonOf = (error: unknown): string | undefined => REASONS[(error as SystemError).code ?? ""];

const TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: "There is no room left on its disk. Make room there, and try again.",
  EDQUOT: "There is no room left on its disk. Make room there, and try again.",
  EACCES: "This user may not read and write it. Give it to the user that Hearth runs as.",
  EPERM: "This user may not read and write it. Give it to the user that Hearth runs as.",
  EROFS: "Its disk takes no changes. Make the disk writable, or use another one.",
  ENOENT: "It is not there. Check its path, and whether its disk is connected.",
  ENOTDIR: "A part of its path is a file. Check the path.",
  EISDIR: "It is a folder. Give the path of a file.",
  EIO: "Its disk reports errors. Copy the data folder to another disk, and check this one.",
};

/** An error of the system about a file or folder, as sentences that name it; undefined for any other error. */
export function diskErrorText(error: unknown): string | undefined {
  const { path, syscall, code = "" } = error as SystemError;
  if (path === undefined || syscall === undefined) return undefined; // errors about ports have no path
  return `${path}: ${TEXTS[code] ?? `The system refuses to use it (${code}).`}`;
}

/** The text of a permission error for a file of the data folder; undefined for any other error. */
export function forbiddenFileText(folder: string, error: SystemError): string | undefined {
  const { path, code = "" } = error;
  if (path === undefined || !["EACCES", "EPERM", "EROFS"].includes(code)) return undefined;
  return (
    `This user may not read and write ${path} (${code}). ` +
    `Give the data folder ${folder}, with all that is in it, to the user that Hearth runs as.`
  );
}

/** The error with the path of the file that it is about. */
export function withPath(error: unknown, path: string): unknown {
  const system = error as SystemError;
  if (system.syscall !== undefined) system.path ??= path;
  return error;
}
