import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync, realpathSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { Failure, type Problem, problem } from "../../errors.ts";
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
export function moveFailure({ path, bytes, freeBytes, problem: code }: MoveTarget & { problem: MoveProblem }): Failure {
  const folder = dirname(path);
  const problems: Record<MoveProblem, () => Problem> = {
    same: () => problem("already_data_folder", { path }),
    inside: () => problem("inside_data_folder", { path }),
    file: () => problem("path_not_folder", { path }),
    missing: () => problem("parent_folder_not_found", { folder }),
    "not empty": () => problem("folder_not_empty", { path }),
    mount: () => problem("folder_is_disk_root", { path, example: join(path, "Hearth") }),
    "not writable": () => problem("folder_not_writable", { folder }),
    "no locks": () => problem("file_locking_unsupported", { path }),
    "too small": () =>
      problem("not_enough_space", { folder, free: inGb(freeBytes), needed: inGb(bytes + MARGIN_BYTES) }),
  };
  return new Failure(problems[code]());
}
