import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, isAbsolute, join } from "node:path";
import type { Installation } from "../bridge-types.ts";

/** File extension of the installer. */
export const INSTALLER_ENDINGS: Record<Installation, string> = {
  AppImage: ".AppImage",
  deb: ".deb",
  rpm: ".rpm",
  nsis: ".exe",
  mac: ".zip",
};

const ARCHITECTURES = ["arm64", "armv7l", "ia32", "x64"];

/** The installer for this processor. electron-builder does not name the most common processor. */
export function installerFor<File extends { url: string }>(
  files: readonly File[],
  { ending, arch }: { ending: string; arch: string },
): File | undefined {
  const others = ARCHITECTURES.filter((name) => name !== arch);
  const own = files.filter(({ url }) => extname(url).toLowerCase() === ending.toLowerCase());
  return own.find(({ url }) => url.includes(arch)) ?? own.find(({ url }) => !others.some((name) => url.includes(name)));
}

export interface RunningProgram {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** Path of the running AppImage, from the environment. */
  appImage: string | undefined;
  executable: string;
  resources: string;
}

/** Null if this copy is not installed, so it cannot be updated. */
export function installationOf({ platform, isPackaged, appImage, resources }: RunningProgram): Installation | null {
  if (platform === "linux" && appImage && isAbsolute(appImage) && existsSync(appImage)) return "AppImage";
  if (!isPackaged) return null;
  if (platform === "win32") return "nsis";
  if (platform === "darwin") return "mac";
  const type = join(resources, "package-type"); // electron-builder's, in a deb or rpm
  const kind = platform === "linux" && existsSync(type) ? readFileSync(type, "utf8").trim() : "";
  return kind === "deb" || kind === "rpm" ? kind : null;
}

/** The file or folder of the program. It runs at any path. */
export function programOf({ platform, appImage, executable }: RunningProgram): string {
  if (platform === "linux" && appImage) return appImage;
  return platform === "darwin" ? join(executable, "../../..") : dirname(executable);
}

/** macOS replaces only programs that are signed with a certificate of Apple. */
export function isSignedForMac(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("/usr/bin/codesign", ["-dv", program], (error, _out, said) =>
      resolve(!error && /^TeamIdentifier=(?!not set)/m.test(said)),
    );
  });
}
