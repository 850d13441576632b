import { join } from "node:path";
import { folderContent } from "../server/supervisor/data-folder.ts";
import type { ChosenFolder } from "./bridge-types.ts";
import { folderWarning } from "./folder-warning.ts";

/**
 * What choosing a folder means. One that holds other files (Documents, a disk) is to get a folder of its own inside:
 * the server closes its data folder to everybody else.
 */
export function folderFrom(chosen: string): ChosenFolder {
  const inside = folderContent(chosen) === "other files" ? join(chosen, "Hearth") : chosen;
  return { path: inside, holds: folderContent(inside), warning: folderWarning(inside) };
}
