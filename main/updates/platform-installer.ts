import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AppUpdater, UpdateInfo } from "electron-updater";
import type { Installation } from "../bridge-types.ts";
import { downloadFile } from "./download.ts";
import { refusalOf, UpdateRefused } from "./refused.ts";
import type { Release, ReleaseFile } from "./release.ts";

export interface InstallerOptions {
  installation: Installation;
  version: string;
  /** Folder for downloads. */
  folder: string;
  resources: string;
  /** Starts the app again after it ends. */
  relaunch(): void;
}

export interface Download {
  release: Release;
  feed: URL;
  signal: AbortSignal;
  /** Called with the downloaded bytes. */
  onProgress(bytes: number): void;
}

export interface Installer {
  /** @throws UpdateRefused, or the signal's reason. */
  download(download: Download): Promise<void>;
  /** Never resolves, because this process ends. @throws UpdateRefused */
  install(): Promise<void>;
}

/**
 * Uses the parts of electron-updater that depend on the system: where a download is stored, and how it is installed. It
 * sends no requests, because the release was read and verified before. It sends and stores no id of this machine, and
 * files come through `downloadFile`.
 */
export async function createInstaller(options: InstallerOptions): Promise<Installer> {
  const updater = await updaterFor(options);
  let failure: unknown;
  updater.on("error", (error) => {
    failure = error;
  });
  return {
    async download(download) {
      const { release, feed, signal } = download;
      const info: UpdateInfo = {
        version: release.version,
        files: [...release.files],
        path: "",
        sha512: "",
        releaseDate: "",
      };
      const resolved = release.files.map((one) => ({ url: new URL(one.url, feed), info: one }));
      offerRelease(updater, { info, resolved });
      Object.assign(updater, { httpExecutor: { download: downloadWith(download) } });
      try {
        const found = await updater.checkForUpdates();
        if (!found?.isUpdateAvailable) throw new UpdateRefused("older", { detail: release.version });
        await updater.downloadUpdate();
      } catch (error) {
        signal.throwIfAborted();
        throw refusalOf(error, "disk");
      }
    },
    async install() {
      failure = undefined;
      if (options.installation === "mac") return endByMac(updater);
      const hasBegun = (updater as AppUpdater & { install(silent: boolean, run: boolean): boolean }).install(
        true,
        true,
      );
      if (!hasBegun || failure) throw refusalOf(failure ?? new Error("It did not begin."), "install");
    },
  };
}

async function updaterFor({
  installation,
  folder,
  resources,
  version,
  relaunch,
}: InstallerOptions): Promise<AppUpdater> {
  const updaters = await import("electron-updater");
  const Updater = {
    AppImage: updaters.AppImageUpdater,
    deb: updaters.DebUpdater,
    rpm: updaters.RpmUpdater,
    nsis: updaters.NsisUpdater,
    mac: updaters.MacUpdater,
  }[installation];
  const config = join(resources, "app-update.yml");
  const updater = new Updater(undefined, {
    name: "Hearth",
    version,
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    relaunch,
    quit: () => {}, // main.ts ends the app
    onQuit: () => {},
  }) as AppUpdater;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.logger = null;
  const { configOnDisk } = updater as unknown as { configOnDisk: { value: Promise<object> } };
  // On Windows it contains the publisher's name, which the installer's Authenticode signature must match.
  const packaged = existsSync(config) ? await configOnDisk.value : {};
  Object.assign(updater, {
    configOnDisk: { value: Promise.resolve({ ...packaged, updaterCacheDirName: "download" }) },
    stagingUserIdPromise: { value: Promise.resolve("") },
  });
  return updater;
}

interface Resolved {
  url: URL;
  info: ReleaseFile;
}

/** Makes electron-updater find this release without a request. */
function offerRelease(updater: AppUpdater, { info, resolved }: { info: UpdateInfo; resolved: Resolved[] }): void {
  class ReadRelease {
    fileExtraDownloadHeaders = null;
    isUseMultipleRangeRequest = false;
    setRequestHeaders(): void {}
    getLatestVersion = () => Promise.resolve(info);
    resolveFiles = () => resolved;
  }
  updater.setFeedURL({ provider: "custom", updateProvider: ReadRelease as never });
}

const downloadWith =
  ({ release, signal, onProgress }: Download) =>
  async (url: URL, to: string, { sha512 }: { sha512: string }): Promise<string> => {
    const file = release.files.find((one) => one.sha512 === sha512);
    if (!file) throw new UpdateRefused("noFile", { detail: url.href });
    await downloadFile(url, to, { ...file, signal, onProgress });
    return to;
  };

/** Squirrel.Mac verifies the signature of the download, and then asks the app to quit. */
function endByMac(updater: AppUpdater): Promise<void> {
  return new Promise((resolve, reject) => {
    updater.once("error", (error) => reject(refusalOf(error, "install")));
    void import("electron").then(({ autoUpdater }) => autoUpdater.once("before-quit-for-update", resolve));
    updater.quitAndInstall();
  });
}
