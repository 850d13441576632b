import { join } from "node:path";
import { folderContent } from "../server/host/supervisor/data-folder.ts";
import { folderWarning } from "../server/host/supervisor/folder-warning.ts";
import type { ChosenFolder } from "./bridge-types.ts";

/**
 * The data folder for a folder that the user chose. If it contains other files (Documents, a disk), a new folder inside
 * it, because the server removes other users' access to its data folder.
 */
export function chosenFolder(path: string): ChosenFolder {
  const dataFolder = folderContent(path) === "other files" ? join(path, "Hearth") : path;
  return { path: dataFolder, holds: folderContent(dataFolder), warning: folderWarning(dataFolder) };
}
