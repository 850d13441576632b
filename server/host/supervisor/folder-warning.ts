import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { posix, win32 } from "node:path";

/** `synced`: a service such as Dropbox may change files in the folder. `network`: another machine may. */
export type FolderWarning = "synced" | "network";

/** The parts of the system that the check reads. Tests replace them. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
  /** The path without links. On Windows also without mapped drive letters: `\\server\share\…`. */
  realpath(path: string): string;
  /** The contents of a file, or "" if it does not exist. */
  text(path: string): string;
  /** The output of `mount` on macOS. */
  mounts(): string;
}

/** File systems whose files another machine, or the host of a virtual machine, may change. */
const SHARED_SYSTEMS =
  /^(nfs\d?|cifs|smb\w*|smbfs|9p|afs|afpfs|ncpfs|ceph|coda|davfs|webdav|lustre|gpfs|beegfs|ocfs2|gfs2|virtiofs|vboxsf|vmhgfs|prl_fs|ftp|acfs|fuse\.(?!ext|ntfs|btrfs|zfs|gocryptfs|encfs|securefs|cryfs|lxcfs|portal|snapfuse|squashfuse|mergerfs|fuse-overlayfs).*|macfuse|osxfuse|fusefs)$/i;

/** Names of synced folders, anywhere in a path. */
const SYNCED_NAMES =
  /^(OneDrive( - .+)?|Dropbox( \(.+\))?|Google ?Drive|GoogleDrive-.+|iCloud ?Drive|Nextcloud\d*|ownCloud\d*|Syncthing|Seafile|SynologyDrive|MEGAsync|Tresorit|Proton ?Drive|pCloud ?Drive|Yandex\.Disk|Box Sync|Creative Cloud Files|Resilio Sync)$/i;
/** Names of synced folders, directly in the home folder. */
const SYNCED_AT_HOME = /^(Sync|Box|MEGA|pCloud|Insync|Drive|My Drive)$/i;

/** Files that these services create in synced folders. */
const MARKERS = [
  ".stfolder", // Syncthing
  ".dropbox",
  ".dropbox.cache",
  ".nextcloudsync.log",
  ".owncloudsync.log",
  ".sync_journal.db", // Nextcloud and ownCloud
  ".tmp.drivedownload", // Google Drive
  ".sync/ID", // Resilio Sync
  ".SynologyWorkingDirectory",
];

/**
 * Warns if another program or machine may change files in the folder. The folder need not exist yet. Does not detect
 * services that leave no known trace.
 */
export function folderWarning(folder: string, machine: Machine = thisMachine): FolderWarning | null {
  const paths = machine.platform === "win32" ? win32 : posix;
  const resolved = paths.resolve(folder);
  const real = realPathOf(resolved, machine);
  if (isShared(real, machine)) return "network";
  return [resolved, real].some((path) => isSynced(path, machine)) ? "synced" : null;
}

/** Resolves links in the existing part of a path, and appends the rest unchanged. */
function realPathOf(path: string, machine: Machine): string {
  const paths = machine.platform === "win32" ? win32 : posix;
  for (let existing = path; ; existing = paths.dirname(existing)) {
    if (machine.exists(existing)) return paths.join(machine.realpath(existing), paths.relative(existing, path));
    if (paths.dirname(existing) === existing) return path;
  }
}

function isShared(path: string, machine: Machine): boolean {
  if (machine.platform === "win32") return /^\\\\(\?\\UNC\\|(?![?.]\\))/i.test(path);
  return SHARED_SYSTEMS.test(machine.platform === "darwin" ? darwinSystem(path, machine) : linuxSystem(path, machine));
}

/** Reads /proc/self/mounts. Later mounts hide earlier mounts. */
function linuxSystem(path: string, machine: Machine): string {
  const mounts = machine
    .text("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" "))
    .map(([, at = "", type = ""]) => ({
      at: at.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
      type,
    }));
  return systemOf(path, mounts);
}

/** `//user@server/share on /Volumes/share (smbfs, nodev)`. */
function darwinSystem(path: string, machine: Machine): string {
  const lines = [...machine.mounts().matchAll(/^.+? on (.+) \(([^,)]+)/gm)];
  return systemOf(
    path,
    lines.map(([, at = "", type = ""]) => ({ at, type })),
  );
}

function systemOf(path: string, mounts: readonly { at: string; type: string }[]): string {
  let found = { at: "", type: "" };
  for (const mount of mounts) {
    if (mount.at !== "" && isIn(path, mount.at, posix.sep) && mount.at.length >= found.at.length) found = mount;
  }
  return found.type;
}

function isSynced(path: string, machine: Machine): boolean {
  const { platform, home, env } = machine;
  const paths = platform === "win32" ? win32 : posix;
  const ignoresCase = platform !== "linux";
  const inside = (root: string | undefined) =>
    root !== undefined && root !== "" && isIn(fold(path), fold(paths.resolve(root)), paths.sep);
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  if ([env["OneDrive"], env["OneDriveConsumer"], env["OneDriveCommercial"]].some(inside)) return true;
  if (dropboxFolders(machine).some(inside)) return true;
  if (platform === "darwin") {
    if (inside(`${home}/Library/CloudStorage`) || inside(`${home}/Library/Mobile Documents`)) return true;
    // With "Desktop & Documents Folders" of iCloud, the two folders also appear in iCloud Drive.
    const icloud = `${home}/Library/Mobile Documents/com~apple~CloudDocs`;
    for (const name of ["Desktop", "Documents"])
      if (inside(`${home}/${name}`) && machine.exists(`${icloud}/${name}`)) return true;
  }
  if (path.split(paths.sep).some((part) => SYNCED_NAMES.test(part))) return true;
  const [atHome = ""] = inside(home) ? paths.relative(home, path).split(paths.sep) : [];
  if (SYNCED_AT_HOME.test(atHome)) return true;
  for (let folder = path; ; folder = paths.dirname(folder)) {
    if (MARKERS.some((marker) => machine.exists(paths.join(folder, marker)) && !isServiceItself(folder, marker)))
      return true;
    if (paths.dirname(folder) === folder) return false;
  }

  /** Dropbox stores its program in `.dropbox` of the home folder, so that file does not count. */
  function isServiceItself(folder: string, marker: string): boolean {
    return marker === ".dropbox" && fold(folder) === fold(home);
  }
}

/** Dropbox stores the paths of its folders in a file. */
function dropboxFolders({ platform, home, env, text }: Machine): string[] {
  const files =
    platform === "win32"
      ? [env["APPDATA"], env["LOCALAPPDATA"]].filter(Boolean).map((folder) => `${folder}\\Dropbox\\info.json`)
      : [`${home}/.dropbox/info.json`];
  return files
    .flatMap((file) => [...text(file).matchAll(/"path":\s*("(?:[^"\\]|\\.)*")/g)].map(([, path]) => path!))
    .map((path) => JSON.parse(path) as string);
}

const isIn = (path: string, folder: string, separator: string) =>
  path === folder || path.startsWith(folder.endsWith(separator) ? folder : `${folder}${separator}`);

const thisMachine: Machine = {
  platform: process.platform,
  home: homedir(),
  env: process.env,
  exists: existsSync,
  realpath: (path) => {
    try {
      return realpathSync.native(path);
    } catch {
      return path; // not accessible: only the name counts
    }
  },
  text: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  },
  mounts: () => {
    try {
      return execFileSync("/sbin/mount", { encoding: "utf8", timeout: 3000 });
    } catch {
      return "";
    }
  },
};
