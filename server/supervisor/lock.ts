import { createHash } from "node:crypto";
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { setTimeout } from "node:timers/promises";

/** How long a start waits for the holder of a lock that is ending. */
const ENDING_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Another process has the data folder open. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
  readonly pid: number;
  /** Whether that process is ending. */
  readonly isEnding: boolean;
  constructor(folder: string, { pid, isEnding }: { pid: number; isEnding: boolean }) {
    super(`${folder} is in use by another Hearth, process ${pid}. Stop that one first, or use another folder.`);
    this.pid = pid;
    this.isEnding = isEnding;
  }
}

export interface Lock {
  /** Tells other processes that this one is stopping: they wait for the lock. */
  announceEnd(): void;
  release(): void;
}

/** The process that holds a lock. Its pid alone does not identify it: the system may have reused the number. */
interface Holder {
  pid: number;
  /** The start time of the process in the system's own unit; empty if the system does not provide it. */
  start: string;
  /** Identifies the boot of the machine. */
  boot: string;
  /** Whether it has said that it is stopping. */
  ending: boolean;
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Of the kernel: the flag of a process that is exiting, and SIGKILL in the mask of signals that wait for a process. */
const PF_EXITING = 0x4;
const SIGKILL_MASK = 0x100;

/** What /proc tells of a process; undefined without such a process, or on a system without /proc. */
function processStatus(pid: number): { start: string; life: "runs" | "is ending" | "has ended" } | undefined {
  const stat = readIfExists(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // From field 3 on: the process name before it may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, flags, threads, start] = [fields[0], Number(fields[6]), Number(fields[17]), fields[19] ?? ""];
  const isZombie = state === "Z" || state === "X";
  // Of a killed process, the first thread may be a zombie while another one still writes.
  if (isZombie && threads <= 1) return { start, life: "has ended" };
  const isEnding = isZombie || (flags & PF_EXITING) !== 0 || isKilled(pid);
  return { start, life: isEnding ? "is ending" : "runs" };
}

/** Whether the process was sent SIGKILL and has not noticed yet. */
function isKilled(pid: number): boolean {
  const masks = readIfExists(`/proc/${pid}/status`)?.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm) ?? [];
  return [...masks].some(([, mask]) => (Number.parseInt((mask as string).slice(-8), 16) & SIGKILL_MASK) !== 0);
}

/** Ticks since boot; empty if the system does not provide it. */
const startTimeOf = (pid: number): string => processStatus(pid)?.start ?? "";

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
  if (!isSameBoot(boot, currentBoot()) || processStatus(pid)?.life === "has ended") return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false; // EPERM: a live process of another user
  }
  return start === startTimeOf(pid);
}

const isEnding = ({ pid, ending }: Holder): boolean => ending || processStatus(pid)?.life === "is ending";

/** Undefined for an incomplete or foreign file: it locks nothing. */
function parseHolder(text: string): Holder | undefined {
  const match = /^\{"pid":(\d+),"start":"([^"]*)","boot":"([^"]*)"(,"ending":true)?\}\n$/.exec(text);
  if (!match) return undefined;
  const [, pid, start, boot, ending] = match;
  return { pid: Number(pid), start: start as string, boot: boot as string, ending: ending !== undefined };
}

/** Like `takeLock`, but waits for a holder that is ending, and says so by `report`. */
export async function takeLockInTime(
  folder: string,
  {
    report = () => {},
    signal,
  }: { report?: ((line: string) => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Lock> {
  const end = performance.now() + ENDING_MS;
  for (let waits = false; ; waits = true) {
    try {
      return takeLock(folder);
    } catch (error) {
      if (!(error instanceof FolderInUse && error.isEnding) || performance.now() > end) throw error;
      if (!waits) report(`${folder}: waiting for another Hearth, process ${error.pid}, which is stopping.`);
    }
    await setTimeout(LOOK_EVERY_MS, undefined, { signal });
  }
}

/**
 * Locks the data folder for this process by a file `lock` with pid, process start and boot. Takes over the lock of a
 * process that has ended. Throws FolderInUse, which names the folder and the process, also if this process itself
 * holds the lock.
 */
export function takeLock(folder: string): Lock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = `${folder}/lock`;
  const ownFile = `${path}.${process.pid}`;
  const holder = { pid: process.pid, start: startTimeOf(process.pid), boot: currentBoot() };
  let text = `${JSON.stringify(holder)}\n`;
  writeFileSync(ownFile, text, { mode: 0o600 });
  try {
    const other = acquire(path, ownFile);
    if (other) throw new FolderInUse(folder, { pid: other.pid, isEnding: isEnding(other) });
  } finally {
    rmSync(ownFile, { force: true });
  }
  return {
    announceEnd() {
      if (readIfExists(path) !== text) return;
      text = `${JSON.stringify({ ...holder, ending: true })}\n`;
      writeFileSync(ownFile, text, { mode: 0o600 });
      renameSync(ownFile, path);
    },
    release() {
      if (readIfExists(path) === text) rmSync(path, { force: true });
    },
  };
}

/**
 * Links `ownFile` to `path` atomically. Returns another holder, or undefined on success. To replace a
 * stale lock, a process must first acquire, in the same way, a claim named after the content of that lock: of several
 * processes only one replaces it, and none mistakes a new lock for the stale one.
 */
function acquire(path: string, ownFile: string): Holder | undefined {
  for (;;) {
    if (tryLink(ownFile, path)) return undefined;
    const found = readIfExists(path);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder && isAlive(holder)) return holder;
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
