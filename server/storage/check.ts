import { DATABASE, openDatabase, readManifest } from "./checkpoint.ts";
import { Database } from "./database.ts";
import { PageDamaged } from "./errors.ts";
import { type Files, realFiles } from "./files.ts";
import { ownersOf, type Root } from "./page-owners.ts";

export interface DamagedPage {
  /** As SQLite counts it, from 1. */
  page: number;
  /** The table or index that it belongs to; undefined for a free page, and where the way to it is damaged. */
  owner: string | undefined;
}

export interface CheckReport {
  /** How many pages were read. */
  pages: number;
  damaged: DamagedPage[];
  /** What SQLite's own check says of a database whose pages are all as they were written; "ok" if all is well. */
  structure: string | undefined;
}

/** The folder was written before pages had checksums: a start takes it over. */
export class NotTakenOver extends Error {}

/**
 * Reads all pages of a data folder that no server uses, and compares them with their checksums. Finishes a checkpoint
 * that was cut short, as a start does. Throws StorageDamaged, SchemaTooNew and disk errors.
 */
export async function checkDatabase(folder: string, files: Files = realFiles): Promise<CheckReport> {
  const [manifest] = readManifest(files, folder);
  if (manifest && manifest.format !== 2)
    throw new NotTakenOver(`${folder} was written by an older Hearth: start the server once, then check it.`);
  const { paged, state } = await openDatabase(files, folder);
  try {
    const read = (number: number) => paged.read(number);
    const bad = new Set<number>();
    for (let number = 0; number < state.pages; number += 1) if (!read(number)) bad.add(number);
    if (bad.size > 0) {
      const owners = ownersOf(bad, await roots(), (number) => (number < state.pages ? read(number) : undefined));
      const damaged = [...bad].map((number) => ({ page: number + 1, owner: owners.get(number) }));
      return { pages: state.pages, damaged, structure: undefined };
    }
    const database = await Database.open(paged);
    return { pages: state.pages, damaged: [], structure: database.value<string>("PRAGMA quick_check(1)") };
  } finally {
    paged.close();
  }

  async function roots(): Promise<Root[]> {
    const list = { name: "the list of tables", page: 0 };
    try {
      const database = await Database.open(paged);
      const rows = database.all<Root>("SELECT name, rootpage - 1 AS page FROM sqlite_schema WHERE rootpage > 0");
      return [list, ...rows];
    } catch (error) {
      if (!(error instanceof PageDamaged)) throw error;
      return [list];
    }
  }
}

/** The report in lines for people. */
export function checkText({ pages, damaged, structure }: CheckReport, folder: string): string[] {
  const path = `${folder}/${DATABASE}`;
  if (structure === "ok") return [`${path}: all ${pages} pages are as they were written.`];
  if (damaged.length === 0)
    return [`${path}: all ${pages} pages are as they were written, but not in order: ${structure}`];
  return [
    `${path}: ${damaged.length} of ${pages} pages are damaged, or were changed by another program.`,
    ...damaged.map(({ page, owner }) => `  page ${page}: ${owner ?? "free, or its table is unknown"}`),
    "Keep a copy of the data folder as it is, then restore the newest backup, or ask for help with that copy.",
  ];
}
