import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { takeLock } from "./lock.ts";

/** On this machine, where the system keeps a program's own data. An absolute path. */
export function defaultDataFolder(): string {
  const { LOCALAPPDATA, XDG_DATA_HOME } = process.env;
  if (process.platform === "win32") return join(LOCALAPPDATA || join(home(), "AppData", "Local"), "Hearth");
  if (process.platform === "darwin") return join(home(), "Library", "Application Support", "Hearth");
  // The XDG Base Directory Specification: one that is empty or relative counts as none.
  const given = XDG_DATA_HOME !== undefined && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : undefined;
  return join(given ?? join(home(), ".local", "share"), "hearth");
}

/** Services are started with an empty HOME, or with none. */
const home = (): string => (isAbsolute(homedir()) ? homedir() : userInfo().homedir);

/** An absolute path of what was typed. Shells leave the `~` of `--data=~/chat` to us. */
export const typedFolder = (path: string): string => resolve(path.replace(/^~(?=$|[/\\])/, () => home()));

/**
 * Whether the folder looks like one with an organization: a glance at its names, for whoever chooses a folder. Whether
 * it is whole, only the server's start can tell.
 */
export function holdsOrganization(folder: string): boolean {
  const log = join(folder, "log");
  if (existsSync(log) && readdirSync(log).length > 0) return true;
  return ["hearth.db", "hearth.db.previous"].some((name) => existsSync(join(folder, name)));
}

/** What file managers leave in every folder that they have shown. */
const NOTHING = [".DS_Store", "desktop.ini", "Thumbs.db", ".directory", "lost+found"];
/** Also what a first run that was not finished leaves, where it was killed too. */
const OURS = /^(log|uploads|lock(\.[\da-f]+)?(\.new)?|(host\.json|secret\.key|hearth\.db)(\.new)?)$/;

/** What a folder holds. Only an organization's own or an empty one may become a data folder: it is closed to others. */
export function folderContent(folder: string): "organization" | "nothing" | "other files" {
  if (!existsSync(folder)) return "nothing";
  if (holdsOrganization(folder)) return "organization";
  const others = readdirSync(folder).filter((name) => !NOTHING.includes(name) && !OURS.test(name));
  return others.length === 0 ? "nothing" : "other files";
}

/** @throws Error in words for a folder with other files in it. */
function assertOwnFilesOnly(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder && folderContent(folder) === "other files")
    throw new Error(
      `${folder} holds other files, and Hearth would close them to everybody else. Choose an empty folder.`,
    );
}

const TROUBLES: Readonly<Record<string, string>> = {
  EEXIST: "it is a file",
  ENOTDIR: "a part of its path is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk takes no changes",
  ENOSPC: "its disk is full",
};

/**
 * Takes the folder for this process, and makes it where it is missing.
 * @throws Error in words, with the system's code and call beside them; FolderInUse.
 */
export function takeDataFolder(folder: string): { release(): void } {
  try {
    assertOwnFilesOnly(folder);
    return takeLock(folder);
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    const why = TROUBLES[code];
    if (syscall === undefined || why === undefined) throw error;
    throw Object.assign(new Error(`${folder} cannot be the data folder: ${why}.`, { cause: error }), { code, syscall });
  }
}
