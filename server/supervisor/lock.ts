import { createHash } from "node:crypto";
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";

/** Another process has the data folder open. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
  readonly pid: number;
  constructor(folder: string, pid: number) {
    super(`${folder} is in use by another Hearth, process ${pid}. Stop that one first, or use another folder.`);
    this.pid = pid;
  }
}

/** The process that holds a lock. Its pid alone does not identify it: the system may have reused the number. */
interface Holder {
  pid: number;
  /** The start time of the process in the system's own unit; empty if the system does not provide it. */
  start: string;
  /** Identifies the boot of the machine. */
  boot: string;
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Field 22 of /proc/<pid>/stat: ticks since boot. The process name before it may contain spaces and brackets. */
function startTimeOf(pid: number): string {
  const stat = readIfExists(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

/** The boot id on Linux; on other systems the boot time in minutes. */
function currentBoot(): string {
  return (
    readIfExists("/proc/sys/kernel/random/boot_id")?.trim() ??
    `started ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  );
}

function isSameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one, other].map((boot) => Number(/^started (\d+)$/.exec(boot)?.[1] ?? Number.NaN)) as [
    number,
    number,
  ];
  return Math.abs(a - b) <= 2; // adjustments of the clock shift it
}

function isAlive({ pid, start, boot }: Holder): boolean {
  if (!isSameBoot(boot, currentBoot())) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false; // EPERM: a live process of another user
  }
  return start === startTimeOf(pid);
}

/** Undefined for an incomplete or foreign file: it locks nothing. */
function parseHolder(text: string): Holder | undefined {
  const match = /^\{"pid":(\d+),"start":"([^"]*)","boot":"([^"]*)"\}\n$/.exec(text);
  return match ? { pid: Number(match[1]), start: match[2] as string, boot: match[3] as string } : undefined;
}

/**
 * Locks the data folder for this process by a file `lock` with pid, process start and boot. Takes over the lock of a
 * process that has ended. Throws FolderInUse, which names the folder and the process, also if this process itself
 * holds the lock.
 */
export function takeLock(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = `${folder}/lock`;
  const ownFile = `${path}.${process.pid}`;
  const text = `${JSON.stringify({ pid: process.pid, start: startTimeOf(process.pid), boot: currentBoot() })}\n`;
  writeFileSync(ownFile, text, { mode: 0o600 });
  try {
    const holder = acquire(path, ownFile);
    if (holder !== undefined) throw new FolderInUse(folder, holder);
  } finally {
    rmSync(ownFile, { force: true });
  }
  return {
    release: () => {
      if (readIfExists(path) === text) rmSync(path, { force: true });
    },
  };
}

/**
 * Links `ownFile` to `path` atomically. Returns the pid of another holder, or undefined on success. To replace a
 * stale lock, a process must first acquire, in the same way, a claim named after the content of that lock: of several
 * processes only one replaces it, and none mistakes a new lock for the stale one.
 */
function acquire(path: string, ownFile: string): number | undefined {
  for (;;) {
    if (tryLink(ownFile, path)) return undefined;
    const found = readIfExists(path);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder && isAlive(holder)) return holder.pid;
    const claim = `${path}.${createHash("sha1").update(found).digest("hex").slice(0, 12)}`;
    const other = acquire(claim, ownFile);
    if (other !== undefined) return other;
    try {
      if (readIfExists(path) !== found) continue;
      copyFileSync(ownFile, `${ownFile}.new`);
      renameSync(`${ownFile}.new`, path);
      return undefined;
    } finally {
      rmSync(claim, { force: true });
    }
  }
}

/** False if the name is taken. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(code)) throw error;
  }
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL); // a file system without hard links: FAT
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
