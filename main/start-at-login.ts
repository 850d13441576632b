import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { app } from "electron";
import { autostartEntry } from "./autostart-entry.ts";

/** Starts Hearth in the tray, without a window. */
export const HIDDEN = "--hidden";

/** Reads the system's own record, so that the system's settings page and Hearth agree. */
export function startsAtLogin(): boolean {
  if (process.platform === "linux") return existsSync(autostartFile());
  return app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin;
}

/** @throws fs errors on Linux. */
export function setStartAtLogin(on: boolean): void {
  if (process.platform !== "linux") app.setLoginItemSettings({ openAtLogin: on, args: [HIDDEN] });
  else if (on) writeEntry();
  else rmSync(autostartFile(), { force: true });
}

/** On Linux the entry contains the program's path, which changes when an AppImage is moved. */
export function refreshStartAtLogin(): void {
  if (process.platform !== "linux" || !startsAtLogin()) return;
  if (readFileSync(autostartFile(), "utf8") !== entry()) writeEntry();
}

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
  // The executable of an AppImage is in a temporary mount.
  const { APPIMAGE: image } = process.env;
  if (image) return autostartEntry([image, HIDDEN]);
  return autostartEntry([process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN]);
}
