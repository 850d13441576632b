import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync, realpathSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { folderContent } from "./data-folder.ts";
import { type FolderWarning, folderWarning } from "./folder-warning.ts";
import { hasLocks, isLocked } from "./lock.ts";

export type MoveProblem =
  /** The data folder itself, or a path inside it. */
  | "same"
  | "inside"
  /** A part of the path is a file. */
  | "file"
  /** The parent folder does not exist. */
  | "missing"
  | "not empty"
  /** A mount point. A folder inside it is possible. */
  | "mount"
  | "not writable"
  /** A network share without locks. */
  | "no locks"
  | "too small";

export interface MoveTarget {
  readonly path: string;
  readonly bytes: number;
  readonly freeBytes: number;
  readonly problem: MoveProblem | null;
  readonly warning: FolderWarning | null;
}

/** Room for the log's next segments and a checkpoint. */
const MARGIN_BYTES = 128 << 20;

/** Checks whether the data folder `from` with this size can move to the absolute path `to`. Throws disk errors. */
export function moveTarget(from: string, to: string, bytes: number): MoveTarget {
  const parent = dirname(to);
  const result = (problem: MoveProblem | null, freeBytes = 0): MoveTarget => ({
    path: to,
    bytes,
    freeBytes,
    problem,
    warning: problem === null ? folderWarning(to) : null,
  });
  const place = placeProblem(from, to);
  if (place !== null) return result(place);
  const { bavail, bsize } = statfsSync(parent);
  const freeBytes = bavail * bsize;
  const written = writeProblem(parent, folderWarning(to) === "network");
  if (written !== null) return result(written, freeBytes);
  return result(freeBytes < bytes + MARGIN_BYTES ? "too small" : null, freeBytes);
}

function placeProblem(from: string, to: string): MoveProblem | null {
  const inside = relative(real(from), real(to));
  if (inside === "") return "same";
  if (inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return "inside";
  const parent = dirname(to);
  try {
    const [there, above] = [statSync(to, { throwIfNoEntry: false }), statSync(parent, { throwIfNoEntry: false })];
    if (!above) return "missing";
    if (!above.isDirectory() || (there && !there.isDirectory())) return "file";
    if (!there) return null;
    // A server may be in first run there.
    if (folderContent(to) !== "nothing" || isLocked(to)) return "not empty";
    return there.dev === above.dev ? null : "mount";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return "file";
    if (code === "EACCES" || code === "EPERM") return "not writable";
    throw error;
  }
}

/** Tries to create a folder and a file, and a lock on a network share. */
function writeProblem(parent: string, isShare: boolean): MoveProblem | null {
  const probe = join(parent, `.hearth-${randomBytes(6).toString("hex")}`);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    mkdirSync(probe, { mode: 0o700 });
    writeFileSync(join(probe, "one"), "", { mode: 0o600 });
    return isShare && !hasLocks(probe) ? "no locks" : null;
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) return "not writable";
    throw error;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

/** Resolves links in the existing part of the path. */
function real(path: string): string {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(realpathSync.native(existing), relative(existing, path));
    } catch {
      if (dirname(existing) === existing) return path;
    }
  }
}

const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** For the command line. The pages have their own texts. */
export function moveProblemText({ path, bytes, freeBytes, problem }: MoveTarget & { problem: MoveProblem }): string {
  const parent = dirname(path);
  return {
    same: `${path} is the data folder already.`,
    inside: `${path} is in the data folder. Choose a place outside.`,
    file: `${path} cannot be a folder: it is a file, or a part of its path is one.`,
    missing: `${parent} is not there. Make it first, or connect its disk.`,
    "not empty": `${path} is not empty. Choose a name that is free, or an empty folder.`,
    mount: `${path} is where a disk begins. Choose a folder on it, for example ${join(path, "Hearth")}.`,
    "not writable": `This user may not write in ${parent}.`,
    "no locks": `${path} is on a network share without locks: two servers could write there at once. Choose a disk of this computer.`,
    "too small": `${parent} has ${inGb(freeBytes)} free, and the data needs ${inGb(bytes + MARGIN_BYTES)}.`,
  }[problem];
}
