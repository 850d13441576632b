import { join } from "node:path";
import { app, type BrowserWindow, dialog } from "electron";
import plainFiles from "original-fs";
import { Failure, problem } from "../../server/errors.ts";
import type { SettingsFile } from "../app-settings.ts";
import type { UpdateCalls } from "../bridge.ts";
import { askWhetherToUpdate } from "../closing.ts";
import type { Desktop } from "../desktop.ts";
import { texts } from "../texts.ts";
import { backUpBefore } from "./backup-before.ts";
import { INSTALLER_ENDINGS, installationOf, isSignedForMac, programOf } from "./installation.ts";
import { createInstaller } from "./platform-installer.ts";
import { type UpdatedApp, Updates } from "./updates.ts";

export interface DesktopUpdatesOptions {
  settings: SettingsFile;
  desktop: Desktop;
  window(): BrowserWindow | undefined;
  /** Starts the app again after it ends. */
  relaunch(): void;
  endBy: UpdatedApp["endBy"];
  report(line: string | Error): void;
}

export function desktopUpdates({ settings, desktop, window, relaunch, endBy, report }: DesktopUpdatesOptions): Updates {
  const running = {
    platform: process.platform,
    isPackaged: app.isPackaged,
    appImage: process.env["APPIMAGE"],
    executable: app.getPath("exe"),
    resources: process.resourcesPath,
  };
  const [installation, program] = [installationOf(running), programOf(running)];
  return new Updates({
    version: app.getVersion(),
    installation,
    program,
    executable: installation === "mac" || installation === "AppImage" ? program : running.executable,
    platform: process.platform,
    arch: process.arch,
    folder: join(app.getPath("userData"), "updates"),
    source: settings.values.updates,
    saveSource: (updates) => {
      try {
        settings.update({ updates });
      } catch (error) {
        throw new Failure(problem("settings_not_saved", { cause: (error as Error).message }));
      }
    },
    createInstaller: (folder) => {
      if (installation === null) throw new Failure(problem("app_not_installed"));
      const resources = process.resourcesPath;
      return createInstaller({ installation, version: app.getVersion(), folder, resources, relaunch });
    },
    files: plainFiles.promises,
    isSigned: () => isSignedForMac(program),
    mayCutOff: async () => askWhetherToUpdate({ peopleOnline: await desktop.server.peopleOnline(), window: window() }),
    backUp: (signal) => backUpBefore(desktop.dataFolder, signal),
    endBy,
    report: (line) => report(line),
    now: Date.now,
  });
}

export function updateCalls(updates: Updates, window: () => BrowserWindow | undefined): UpdateCalls {
  return {
    updates: async () => updates.state,
    setUpdateSource: async (source) => updates.setSource(source),
    checkForUpdate: () => updates.check(),
    downloadUpdate: () => updates.download(),
    cancelUpdate: async () => updates.cancel(),
    checkInstallerFile: (path) => updates.checkFile(path),
    chooseInstallerFile: async () => {
      const path = await askForInstaller(window());
      return path === undefined ? updates.state : updates.checkFile(path);
    },
    installUpdate: () => updates.install(),
    removeKeptVersion: () => updates.removeKept(),
  };
}

async function askForInstaller(parent: BrowserWindow | undefined): Promise<string | undefined> {
  const extensions = Object.values(INSTALLER_ENDINGS).map((ending) => ending.slice(1));
  const options: Electron.OpenDialogOptions = {
    title: texts.installerDialog,
    buttonLabel: texts.installerButton,
    properties: ["openFile"],
    filters: [{ name: "Hearth", extensions }],
  };
  const { filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
  return filePaths[0];
}
