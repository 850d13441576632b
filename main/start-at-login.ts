import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { app } from "electron";
import { autostartEntry } from "./autostart-entry.ts";

/** Starts Hearth in the tray, without a window. */
export const HIDDEN = "--hidden";

/**
 * Whether the system starts Hearth when the user signs in. The system's own record is the setting, so that what its
 * settings page says holds.
 */
export function startsAtLogin(): boolean {
  if (process.platform === "linux") return existsSync(autostartFile());
  return app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin;
}

/** @throws the errors of Node's fs, on Linux. */
export function setStartAtLogin(on: boolean): void {
  if (process.platform !== "linux") app.setLoginItemSettings({ openAtLogin: on, args: [HIDDEN] });
  else if (on) writeEntry();
  else rmSync(autostartFile(), { force: true });
}

/** On Linux the entry names the program's path, which changes when an AppImage is moved: it is written again. */
export function refreshStartAtLogin(): void {
  if (process.platform !== "linux" || !startsAtLogin()) return;
  if (readFileSync(autostartFile(), "utf8") !== entry()) writeEntry();
}

/** Whether this start was made by the system, at the user's sign-in. */
export function isStartedAtLogin(): boolean {
  if (process.platform === "darwin") return app.getLoginItemSettings().wasOpenedAtLogin;
  return process.argv.includes(HIDDEN);
}

function writeEntry(): void {
  mkdirSync(dirname(autostartFile()), { recursive: true });
  writeFileSync(autostartFile(), entry());
}

/** XDG Base Directory Specification: an empty or relative path is ignored. */
function autostartFile(): string {
  const { XDG_CONFIG_HOME = "" } = process.env;
  return join(
    isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), ".config"),
    "autostart",
    "hearth.desktop",
  );
}

function entry(): string {
  // Of an AppImage only the file itself stays where it is; the executable is in a mount of this process.
  const { APPIMAGE: image } = process.env;
  if (image) return autostartEntry([image, HIDDEN]);
  return autostartEntry([process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN]);
}
