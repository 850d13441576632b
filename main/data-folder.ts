import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { holdsOrganization } from "../server/data-folder.ts";
import type { ChosenFolder } from "./bridge-types.ts";
import { folderWarning } from "./folder-warning.ts";

/** What file managers leave in every folder that they have shown. */
const NOTHING = [".DS_Store", "desktop.ini", "Thumbs.db", ".directory", "lost+found"];

/**
 * What choosing a folder means. One that holds other files (Documents, a disk) is to get a folder of its own inside:
 * the server closes its data folder to everybody else.
 */
export function folderFrom(chosen: string): ChosenFolder {
  const inside = contentOf(chosen) === "other files" ? join(chosen, "Hearth") : chosen;
  return { path: inside, holds: contentOf(inside), warning: folderWarning(inside) };
}

function contentOf(folder: string): ChosenFolder["holds"] {
  if (!existsSync(folder)) return "nothing";
  if (holdsOrganization(folder)) return "organization";
  // What a first run that was not finished leaves.
  const ours = ["lock", "host.json", "log", "uploads", "secret.key"];
  const others = readdirSync(folder).filter((name) => !NOTHING.includes(name) && !ours.includes(name));
  return others.length === 0 ? "nothing" : "other files";
}
