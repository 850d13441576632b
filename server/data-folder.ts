import { existsSync, readdirSync } from "node:fs";
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
