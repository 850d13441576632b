import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Failure, type Problem, problem } from "../../errors.ts";
import { diskProblem } from "../../storage/errors.ts";
import { settleMove } from "../backups/move-marks.ts";
import { finishRestore, RESTORE_FILE } from "../backups/restore-moves.ts";
import { FolderInUse, hasLocks, type Lock, NoLocks, takeLock } from "./lock.ts";
import { removeHostFile, respondingUrl } from "./running-server.ts";

/** How long a start waits for a lock holder that does not respond. It may be starting or stopping. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** The folder in which this system stores the data of programs. */
export function defaultDataFolder(): string {
  const { LOCALAPPDATA, XDG_DATA_HOME } = process.env;
  if (process.platform === "win32") return join(LOCALAPPDATA || join(home(), "AppData", "Local"), "Hearth");
  if (process.platform === "darwin") return join(home(), "Library", "Application Support", "Hearth");
  // XDG Base Directory Specification: an empty or relative path is ignored.
  const dataHome = XDG_DATA_HOME !== undefined && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : undefined;
  return join(dataHome ?? join(home(), ".local", "share"), "hearth");
}

/** Services may start with an empty HOME, or without one. */
const home = (): string => (isAbsolute(homedir()) ? homedir() : userInfo().homedir);

/** The absolute path of a folder on the command line. Shells do not expand the `~` of `--data=~/chat`. */
export const resolveFolder = (path: string): string => resolve(path.replace(/^~(?=$|[/\\])/, () => home()));

/** Whether the folder seems to contain an organization. Checks only file names, not whether the data is intact. */
export function holdsOrganization(folder: string): boolean {
  const log = join(folder, "log");
  if (existsSync(log) && readdirSync(log).length > 0) return true;
  return ["hearth.db", RESTORE_FILE].some((name) => existsSync(join(folder, name)));
}

/** Files that file managers and file systems create in any folder. */
const IGNORED = [".DS_Store", "desktop.ini", "Thumbs.db", ".directory", "lost+found"];
/** Includes files of an interrupted first run. */
const OURS =
  /^(log|uploads|diagnostics|backups|https|imports|(before-restore|restored)-[\d-]+|lock(\.[\da-f]+)?(\.new)?|control\.sock|(host\.json|restor(e|ing)\.json|move\.json|arrival\.json|secret\.key|backup\.key|hearth\.(db|sums))(\.new)?)$/;

/** A folder with other files must not become a data folder, because Hearth removes other users' access to it. */
export function folderContent(folder: string): "organization" | "nothing" | "other files" {
  if (!existsSync(folder)) return "nothing";
  if (holdsOrganization(folder)) return "organization";
  const others = readdirSync(folder).filter((name) => !IGNORED.includes(name) && !OURS.test(name));
  return others.length === 0 ? "nothing" : "other files";
}

/** @throws Error for users if the folder contains other files. */
function assertOwnFilesOnly(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder && folderContent(folder) === "other files")
    throw new Failure(problem("folder_has_other_files", { folder }));
}

interface Waiting {
  /** Called with one line if the lock is not free, or if other users keep their access. */
  report?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Creates the folder if it is missing, removes other users' access to it, and locks it. Waits for a process that is
 * starting or stopping there. Finishes an interrupted restore, and reverts an interrupted move.
 * @throws FolderInUse, NoLocks, FolderMoved, UnfinishedCopy, or an Error for users with `code` and `syscall` of the
 * system error.
 */
export async function takeDataFolder(folder: string, waiting: Waiting): Promise<Lock> {
  try {
    assertOwnFilesOnly(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeToOthers(folder, waiting.report);
    const lock = await takeLockInTime(folder, waiting);
    try {
      removeHostFile(folder); // of a killed server, or copied with the folder
      finishRestore(folder);
      settleMove(folder);
    } catch (error) {
      lock.release();
      throw error;
    }
    return lock;
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    const cause = whyNotTaken(error as NodeJS.ErrnoException);
    if (syscall === undefined || cause === undefined) throw error;
    throw Object.assign(new Failure(problem("data_folder_unusable", { folder, cause }), { cause: error }), {
      code,
      syscall,
    });
  }
}

function whyNotTaken(error: NodeJS.ErrnoException): Problem | undefined {
  if (error.syscall === "chmod" && error.code === "EPERM") return problem("cause_other_owner");
  return error.code === "EEXIST" ? problem("cause_is_file") : diskProblem(error);
}

/** Like `takeLock`, but waits for a holder that may be stopping. */
export async function takeLockInTime(folder: string, { report = () => {}, signal }: Waiting): Promise<Lock> {
  const end = performance.now() + PATIENCE_MS;
  for (let waits = false; ; waits = true) {
    try {
      return takeLock(folder);
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      const url = await respondingUrl(folder);
      if (url !== undefined) throw new FolderInUse(folder, url);
      if (performance.now() > end) throw hasLocks(folder) ? error : new NoLocks(folder, error);
      if (!waits) report(`${folder}: waiting for another Hearth, which is starting or stopping there.`);
    }
    await setTimeout(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** On Windows, a folder inherits access from its parent, and every user may read and write in a folder of a disk. */
function closeToOthers(folder: string, report: (line: string) => void = () => {}): void {
  if (process.platform !== "win32") {
    chmodSync(folder, 0o700);
    return;
  }
  const { SystemRoot = "C:\\Windows", USERDOMAIN, USERNAME } = process.env;
  const icacls = (...args: string[]) =>
    spawnSync(join(SystemRoot, "System32", "icacls.exe"), [folder, ...args], { encoding: "utf8", windowsHide: true });
  if (!icacls().stdout?.includes("(I)")) return; // nothing is inherited, or the file system has no permissions
  const { username } = userInfo();
  const user = USERDOMAIN && USERNAME === username ? `${USERDOMAIN}\\${username}` : username;
  const grants = [user, SYSTEM, ADMINISTRATORS].map((who) => `${who}:(OI)(CI)F`);
  const { status, stdout, stderr } = icacls("/inheritance:r", "/grant:r", ...grants);
  if (status !== 0) report(`${folder}: other users of this computer may have access. ${stderr || stdout}`.trim());
}

/** The security identifiers of these accounts. Their names depend on the system's language. */
const SYSTEM = "*S-1-5-18";
const ADMINISTRATORS = "*S-1-5-32-544";
