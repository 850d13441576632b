import { Failure, type Problem, problem } from "../errors.ts";

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
export class FolderTaken extends Failure {
  override readonly name = "FolderTaken";
  constructor(folder: string) {
    super(problem("data_folder_taken_over", { folder }));
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
export class StorageClosed extends Failure {
  override readonly name = "StorageClosed";
  constructor() {
    super(problem("server_stopping"));
  }
}

/** The record of a transaction is larger than the log allows. The transaction was rolled back. */
export class RecordTooLarge extends Failure {
  override readonly name = "RecordTooLarge";
  constructor(bytes: number, limit: number) {
    super(problem("change_too_large", { size: bytes, max: limit }));
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

const CAUSES = {
  ENOSPC: "cause_disk_full",
  EDQUOT: "cause_disk_full",
  EACCES: "cause_not_permitted",
  EPERM: "cause_not_permitted",
  EROFS: "cause_read_only",
  ENOENT: "cause_not_found",
  ENOTDIR: "cause_parent_is_file",
  EISDIR: "cause_is_folder",
  EIO: "cause_disk_error",
} as const;

/** Why a file or folder cannot be used, as the cause of another problem. */
export function diskProblem(error: unknown): Problem | undefined {
  const { code = "" } = error as SystemError;
  return Object.hasOwn(CAUSES, code) ? problem(CAUSES[code as keyof typeof CAUSES]) : undefined;
}

const PROBLEMS = {
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  EACCES: "path_access_denied",
  EPERM: "path_access_denied",
  EROFS: "disk_read_only",
  ENOENT: "path_not_found",
  ENOTDIR: "path_contains_file",
  EISDIR: "path_is_folder",
  EIO: "disk_reports_errors",
} as const;

/** An error of the system about a file or folder, with its path; undefined for any other error. */
export function fileProblem(error: unknown): Problem | undefined {
  const { path, syscall, code = "" } = error as SystemError;
  if (path === undefined || syscall === undefined) return undefined; // errors about ports have no path
  return Object.hasOwn(PROBLEMS, code)
    ? problem(PROBLEMS[code as keyof typeof PROBLEMS], { path })
    : problem("system_refused_access", { path, code });
}

/** A permission error for a file of the data folder; undefined for any other error. */
export function forbiddenFileProblem(folder: string, error: SystemError): Problem | undefined {
  const { path, code = "" } = error;
  if (path === undefined || !["EACCES", "EPERM", "EROFS"].includes(code)) return undefined;
  return problem("data_file_access_denied", { path, code, folder });
}

/** The error with the path of the file that it is about. */
export function withPath(error: unknown, path: string): unknown {
  const system = error as SystemError;
  if (system.syscall !== undefined) system.path ??= path;
  return error;
}
