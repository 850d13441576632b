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

/** Who holds a lock. A pid alone may have come to another process since: the rest tells. */
interface Holder {
  pid: number;
  /** When the process started, in the system's own count; empty where the system does not tell. */
  start: string;
  /** This run of the machine. */
  boot: string;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Field 22 of /proc/<pid>/stat: ticks from the machine's start. The name before it may hold spaces and brackets. */
function startOf(pid: number): string {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

/** The boot id of Linux; elsewhere when the machine started, to the minute. */
function currentBoot(): string {
  return (
    textOf("/proc/sys/kernel/random/boot_id")?.trim() ?? `started ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  );
}

function sameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one, other].map((boot) => Number(/^started (\d+)$/.exec(boot)?.[1] ?? Number.NaN)) as [
    number,
    number,
  ];
  return Math.abs(a - b) <= 2; // the clock is set now and then
}

function lives({ pid, start, boot }: Holder): boolean {
  if (!sameBoot(boot, currentBoot())) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false; // EPERM: another user's, and alive
  }
  return start === startOf(pid);
}

/** Undefined for a file that no Hearth has written whole: it holds nobody. */
function parsed(text: string): Holder | undefined {
  const match = /^\{"pid":(\d+),"start":"([^"]*)","boot":"([^"]*)"\}\n$/.exec(text);
  return match ? { pid: Number(match[1]), start: match[2] as string, boot: match[3] as string } : undefined;
}

/**
 * Takes the data folder for this process: the file `lock`, with pid, process start and boot. One that a dead process
 * or an earlier run of the machine left is taken over. Throws FolderInUse, naming the folder and the process, also
 * where this very process holds it.
 */
export function takeLock(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = `${folder}/lock`;
  const mine = `${path}.${process.pid}`;
  const text = `${JSON.stringify({ pid: process.pid, start: startOf(process.pid), boot: currentBoot() })}\n`;
  writeFileSync(mine, text, { mode: 0o600 });
  try {
    const holder = acquire(path, mine);
    if (holder !== undefined) throw new FolderInUse(folder, holder);
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    release: () => {
      if (textOf(path) === text) rmSync(path, { force: true });
    },
  };
}

/**
 * Gives the file at `mine` the name `path`, in one step with its whole content; undefined, or the pid that holds it.
 * A stale file is replaced only by who has acquired, in the same way, the name made of its content: of any number
 * that start at once, one replaces it, and nobody mistakes a new lock for the stale one that he saw.
 */
function acquire(path: string, mine: string): number | undefined {
  for (;;) {
    if (linked(mine, path)) return undefined;
    const found = textOf(path);
    if (found === undefined) continue;
    const holder = parsed(found);
    if (holder && lives(holder)) return holder.pid;
    const claim = `${path}.${createHash("sha1").update(found).digest("hex").slice(0, 12)}`;
    const other = acquire(claim, mine);
    if (other !== undefined) return other;
    try {
      if (textOf(path) !== found) continue;
      copyFileSync(mine, `${mine}.new`);
      renameSync(`${mine}.new`, path);
      return undefined;
    } finally {
      rmSync(claim, { force: true });
    }
  }
}

/** False where the name is taken. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(code)) throw error;
  }
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL); // a disk without links: FAT
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
