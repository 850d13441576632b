import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** On this machine, where the system keeps a program's own data. */
export function defaultDataFolder(): string {
  if (process.platform === "win32")
    return join(process.env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "Hearth");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "Hearth");
  return join(process.env["XDG_DATA_HOME"] ?? join(homedir(), ".local", "share"), "hearth");
}

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
export function refuseOtherFiles(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder && folderContent(folder) === "other files")
    throw new Error(
      `${folder} holds other files, and Hearth would close them to everybody else. Choose an empty folder.`,
    );
}
