import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { chosenFolder } from "../../main/data-folder.ts";
import { folderWarning, type Machine } from "../../server/host/supervisor/folder-warning.ts";
import { temporaryFolder } from "../support/desktop.ts";

function machine(
  platform: NodeJS.Platform,
  facts: Partial<Machine> & { files?: Record<string, string> } = {},
): Machine {
  const homes: Partial<Record<NodeJS.Platform, string>> = { win32: "C:\\Users\\ada", darwin: "/Users/ada" };
  const { files = {}, ...more } = facts;
  return {
    platform,
    home: homes[platform] ?? "/home/ada",
    env: {},
    exists: (path) => path in files || path === "/" || /^[A-Z]:\\$/.test(path),
    realpath: (path) => path,
    text: (path) => files[path] ?? "",
    mounts: () => "",
    ...more,
  };
}

const mounts = (text: string) => ({ "/proc/self/mounts": text });

test("a local folder has no warning", () => {
  const disk = mounts("/dev/sda1 / ext4 rw 0 0\nproc /proc proc rw 0 0\ntmpfs /run tmpfs rw 0 0\n");
  assert.equal(folderWarning("/home/ada/.local/share/hearth", machine("linux", { files: disk })), null);
  assert.equal(folderWarning("/home/ada/work/dropbox-import/data", machine("linux", { files: disk })), null);
  assert.equal(folderWarning("/home/ada/projects/Box/data", machine("linux", { files: disk })), null);
  assert.equal(folderWarning("/Users/ada/Library/Application Support/Hearth", machine("darwin")), null);
  assert.equal(folderWarning("/Users/ada/Documents/Hearth", machine("darwin")), null);
  assert.equal(folderWarning("C:\\Users\\ada\\AppData\\Local\\Hearth", machine("win32")), null);
  assert.equal(folderWarning("D:\\Hearth", machine("win32")), null);
  assert.equal(folderWarning("\\\\?\\D:\\Hearth", machine("win32")), null);
});

test("a synced folder is recognized by its path", () => {
  const linux = ["/home/ada/Dropbox/h", "/home/ada/Nextcloud/h", "/home/ada/ownCloud2", "/data/Syncthing/h"].concat(
    ["/home/ada/Sync/h", "/home/ada/Dropbox (Venice)/h", "/mnt/x/Google Drive/h", "/home/ada/OneDrive - Venice/h"],
    ["/home/ada/Seafile", "/home/ada/MEGA/x", "/home/ada/pCloudDrive/x", "/home/ada/Yandex.Disk/x"],
  );
  for (const folder of linux) assert.equal(folderWarning(folder, machine("linux")), "synced", folder);
  const darwin = ["Library/CloudStorage/OneDrive-Venice/h", "Library/Mobile Documents/com~apple~CloudDocs/h"].concat([
    "Library/CloudStorage/GoogleDrive-ada@example.com/My Drive/h",
    "dropbox/h",
    "Google Drive/h",
  ]);
  for (const folder of darwin) assert.equal(folderWarning(`/Users/ada/${folder}`, machine("darwin")), "synced", folder);
  const windows = ["OneDrive\\h", "onedrive - Venice\\h", "iCloudDrive\\h", "Dropbox", "Nextcloud\\a\\b"];
  for (const folder of windows) {
    assert.equal(folderWarning(`C:\\Users\\ada\\${folder}`, machine("win32")), "synced", folder);
  }
});

test("a synced folder is recognized by settings or marker files", () => {
  const env = { OneDriveCommercial: "D:\\Work" };
  assert.equal(folderWarning("d:\\work\\hearth", machine("win32", { env })), "synced");
  assert.equal(folderWarning("D:\\Workshop\\hearth", machine("win32", { env })), null);
  const windowsInfo = { "C:\\A\\Dropbox\\info.json": '{"personal":{"path":"E:\\\\My Files","host":1}}' };
  const windows = machine("win32", { env: { APPDATA: "C:\\A" }, files: windowsInfo });
  assert.equal(folderWarning("E:\\My Files\\hearth", windows), "synced");
  const info = { "/home/ada/.dropbox/info.json": '{"business":{"path":"/data/shared","is_team":true}}' };
  assert.equal(folderWarning("/data/shared/hearth", machine("linux", { files: info })), "synced");
  for (const mark of [".stfolder", ".dropbox.cache", ".sync_journal.db", ".sync/ID", ".tmp.drivedownload"]) {
    const files = { [`/data/files/${mark}`]: "" };
    assert.equal(folderWarning("/data/files/a/b", machine("linux", { files })), "synced", mark);
    assert.equal(folderWarning("/data/other", machine("linux", { files })), null, mark);
  }
  // Dropbox stores its program here, not files.
  assert.equal(folderWarning("/home/ada/hearth", machine("linux", { files: { "/home/ada/.dropbox": "" } })), null);
  const icloud = { "/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/Documents": "" };
  assert.equal(folderWarning("/Users/ada/Documents/Hearth", machine("darwin", { files: icloud })), "synced");
  assert.equal(folderWarning("/Users/ada/Desktop/Hearth", machine("darwin", { files: icloud })), null);
});

test("a folder on another machine is a network folder", () => {
  for (const type of ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.rclone", "fuse.gvfsd-fuse", "vboxsf"]) {
    const text = `/dev/sda1 / ext4 rw 0 0\nserver:/x /mnt/share ${type} rw 0 0\n/dev/sdb1 /mnt/share/local ext4 rw 0 0\n`;
    const linux = machine("linux", { files: mounts(text) });
    assert.equal(folderWarning("/mnt/share/hearth", linux), "network", type);
    assert.equal(folderWarning("/mnt/shared", linux), null, type);
    assert.equal(folderWarning("/mnt/share/local/hearth", linux), null, type);
  }
  for (const type of ["ext4", "btrfs", "xfs", "zfs", "fuseblk", "fuse.ntfs-3g", "fuse.gocryptfs", "overlay", "tmpfs"]) {
    const linux = machine("linux", { files: mounts(`/dev/sda1 /home ${type} rw 0 0\n`) });
    assert.equal(folderWarning("/home/ada/hearth", linux), null, type);
  }
  const spaced = mounts("//nas/team /media/My\\040Team cifs rw 0 0\n");
  assert.equal(folderWarning("/media/My Team/hearth", machine("linux", { files: spaced })), "network");
  const mac = machine("darwin", {
    mounts: () =>
      "/dev/disk1s1 on / (apfs, sealed, local)\n//ada@nas/My Team on /Volumes/My Team (smbfs, nodev, nosuid)\n/dev/disk4 on /Volumes/Stick (exfat, local)\n",
  });
  assert.equal(folderWarning("/Volumes/My Team/hearth", mac), "network");
  assert.equal(folderWarning("/Volumes/Stick/hearth", mac), null);
  for (const folder of ["\\\\nas\\team\\hearth", "\\\\?\\UNC\\nas\\team", "//nas/team/hearth"]) {
    assert.equal(folderWarning(folder, machine("win32")), "network", folder);
  }
  const mapped = machine("win32", { realpath: (path) => path.replace(/^Z:/, "\\\\nas\\team") });
  assert.equal(folderWarning("Z:\\hearth", mapped), "network");
});

test("a symbolic link does not hide the real folder", (t) => {
  const folder = temporaryFolder(t, "hearth-link-");
  mkdirSync(join(folder, "Dropbox", "inside"), { recursive: true });
  symlinkSync(join(folder, "Dropbox", "inside"), join(folder, "plain"));
  assert.equal(folderWarning(join(folder, "other", "new")), null);
  assert.equal(folderWarning(join(folder, "plain")), "synced");
  assert.equal(folderWarning(join(folder, "plain", "not", "there", "yet")), "synced");
});

test("choosing a folder with other files creates a subfolder", (t) => {
  const folder = temporaryFolder(t, "hearth-chosen-");
  assert.deepEqual(chosenFolder(folder), { path: folder, holds: "nothing", warning: null });
  writeFileSync(join(folder, ".DS_Store"), "");
  for (const left of ["lock", "secret.key.new", "hearth.db.new"]) writeFileSync(join(folder, left), "");
  assert.equal(chosenFolder(folder).path, folder, "a first run was killed here");
  writeFileSync(join(folder, "letter.txt"), "");
  const inside = join(folder, "Hearth");
  assert.deepEqual(chosenFolder(folder), { path: inside, holds: "nothing", warning: null });
  mkdirSync(inside);
  writeFileSync(join(inside, "hearth.db"), "");
  assert.deepEqual(chosenFolder(folder), { path: inside, holds: "organization", warning: null });
  assert.deepEqual(chosenFolder(inside), { path: inside, holds: "organization", warning: null });
  const other = temporaryFolder(t, "hearth-chosen-");
  mkdirSync(join(other, "Hearth"));
  writeFileSync(join(other, "Hearth", "novel.txt"), "");
  writeFileSync(join(other, "letter.txt"), "");
  assert.equal(chosenFolder(other).holds, "other files");
});
