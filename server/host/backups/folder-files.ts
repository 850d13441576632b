import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { BackupFailed } from "./errors.ts";

/** The files of a data folder that a move copies. */
export interface FolderFiles {
  /** Relative paths, each after the one that it is in. */
  folders: readonly string[];
  files: readonly { path: string; size: number }[];
  /** Of all files together. */
  bytes: number;
}

/** What belongs to the process that runs, to a move or to an unfinished restore, or to the file system. */
const STAYS =
  /^(lock(\..+)?|control\.sock|(host|move|arrival|restoring)\.json(\.new)?|(?:.+-)?restored-[\d-]+|lost\+found)$/;

/**
 * Lists what is in a data folder, following links. Throws BackupFailed for what is neither file nor folder, and the
 * errors of the disk.
 */
export function filesToMove(folder: string): FolderFiles {
  const folders: string[] = [];
  const files: { path: string; size: number }[] = [];
  let bytes = 0;
  const walk = (inside: string, depth: number) => {
    if (depth > 32)
      throw new BackupFailed(`${join(folder, inside)} has too many folders in each other, or leads back into itself.`);
    for (const name of readdirSync(join(folder, inside)).sort()) {
      if (inside === "" && STAYS.test(name)) continue;
      const path = join(inside, name);
      const found = statSync(join(folder, path), { throwIfNoEntry: false });
      if (found?.isDirectory()) {
        folders.push(path);
        walk(path, depth + 1);
      } else if (found?.isFile()) {
        files.push({ path, size: found.size });
        bytes += found.size;
      } else
        throw new BackupFailed(
          `${join(folder, path)} is neither a file nor a folder, and cannot be moved. Remove it first.`,
        );
    }
  };
  walk("", 0);
  return { folders, files, bytes };
}
