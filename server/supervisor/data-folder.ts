import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { settleMove } from "../backups/move-marks.ts";
import { finishRestore, RESTORE_FILE } from "../backups/restore-moves.ts";
import { reasonOf } from "../storage/disk-errors.ts";
import { type Lock, takeLockInTime } from "./lock.ts";

/** The absolute path of the folder in which this system stores the data of a program. */
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

/**
 * Whether the folder seems to contain an organization, by its file names. Only the server's start tells whether the
 * data is intact.
 */
export function holdsOrganization(folder: string): boolean {
  const log = join(folder, "log");
  if (existsSync(log) && readdirSync(log).length > 0) return true;
  return ["hearth.db", RESTORE_FILE].some((name) => existsSync(join(folder, name)));
}

/** Files that file managers and file systems create in any folder. */
const IGNORED = [".DS_Store", "desktop.ini", "Thumbs.db", ".directory", "lost+found"];
/** Also the remains of an interrupted first run. */
const OURS =
  /^(log|uploads|diagnostics|backups|https|(before-restore|restored)-[\d-]+|lock(\.[\da-f]+)?(\.new)?|(host\.json|restor(e|ing)\.json|move\.json|arrival\.json|secret\.key|backup\.key|hearth\.(db|sums))(\.new)?)$/;

/** What a folder contains. One with other files must not become a data folder, which is closed to other users. */
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
    throw new Error(
      `${folder} holds other files, and Hearth would close them to everybody else. Choose an empty folder.`,
    );
}

/**
 * Creates the folder if it is missing, closes it to other users, and locks it for this process; waits for a process that
 * is stopping there. A restore that was cut short is finished, and a move undone.
 * @throws FolderInUse, FolderMoved, UnfinishedCopy, or an Error for users with `code` and `syscall` of the system error.
 */
export async function takeDataFolder(folder: string, waiting: Parameters<typeof takeLockInTime>[1]): Promise<Lock> {
  try {
    assertOwnFilesOnly(folder);
    const lock = await takeLockInTime(folder, waiting);
    try {
      closeToOthers(folder);
      finishRestore(folder);
      settleMove(folder);
    } catch (error) {
      lock.release();
      throw error;
    }
    return lock;
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    const reason = whyNotTaken(error as NodeJS.ErrnoException);
    if (syscall === undefined || reason === undefined) throw error;
    throw Object.assign(new Error(`${folder} cannot be the data folder: ${reason}.`, { cause: error }), {
      code,
      syscall,
    });
  }
}

function whyNotTaken(error: NodeJS.ErrnoException): string | undefined {
  if (error.syscall === "chmod") return "it belongs to another user";
  return error.code === "EEXIST" ? "it is a file" : reasonOf(error);
}

const closeToOthers = (folder: string): void => chmodSync(folder, 0o700);
