import { dirname } from "node:path";
import { dataMark, openDatabase } from "./checkpoint.ts";
import { Database } from "./database.ts";
import { PageDamaged, StorageDamaged } from "./errors.ts";
import { type Files, readFully, realFiles } from "./files.ts";
import { readFrame, scanForFrames } from "./frames.ts";
import { ownersOf, type Root } from "./page-trees.ts";
import {
  checkTail,
  FLUSHED_SLOT,
  flushedPath,
  flushedPosition,
  isZero,
  position,
  readHeader,
  readSegment,
  type SegmentFile,
  segmentsIn,
} from "./segments.ts";

export interface DamagedPage {
  /** Counts from 1, as in SQLite. */
  page: number;
  /** The table or index of the page; undefined for a free page, and if the path to it is damaged. */
  owner: string | undefined;
}

export interface CheckReport {
  /** The first log segment with records that the file does not contain. */
  segment: number;
  /** How many pages were read. */
  pages: number;
  damaged: DamagedPage[];
  /** The result of SQLite's own check, which runs if all pages are intact; "ok" if it finds nothing. */
  structure: string | undefined;
}

/**
 * Reads all pages of a data folder that no server uses, and compares them with their checksums. Finishes an interrupted
 * checkpoint first, as a start does. Throws StorageDamaged, SchemaTooNew and disk errors.
 */
export async function checkDatabase(folder: string, files: Files = realFiles): Promise<CheckReport> {
  const { paged, state } = await openDatabase(files, folder);
  try {
    const read = (number: number) => paged.read(number);
    const bad = new Set<number>();
    for (let number = 0; number < state.pages; number += 1) if (!read(number)) bad.add(number);
    if (bad.size > 0) {
      const owners = ownersOf(bad, await roots(), (number) => (number < state.pages ? read(number) : undefined));
      const damaged = [...bad].map((number) => ({ page: number + 1, owner: owners.get(number) }));
      return { segment: state.segment, pages: state.pages, damaged, structure: undefined };
    }
    const database = await Database.open(paged);
    const structure = database.value<string>("PRAGMA quick_check(1)");
    return { segment: state.segment, pages: state.pages, damaged: [], structure };
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

export interface LogReport {
  /** Segments in use, and frames in them. */
  segments: number;
  frames: number;
  damaged: DamagedSegment[];
  /** Whether the file `flushed`, which proves the last write, is damaged. */
  isFlushedDamaged: boolean;
  /** Whether `format.json` is damaged. It can be written again. */
  isMarkDamaged: boolean;
}

export interface DamagedSegment {
  file: string;
  problem: string;
  /**
   * `newest`: records that `hearth.db` does not contain yet. `older`: `hearth.db` contains its records; only event queues
   * read it. `spare`: it holds nothing.
   */
  holds: "newest" | "older" | "spare";
}

/** Reads all segments of the log. `neededFrom`: the first one with records that `hearth.db` does not contain. */
export function checkLog(folder: string, neededFrom: number, files: Files = realFiles): LogReport {
  const report: LogReport = { segments: 0, frames: 0, damaged: [], isFlushedDamaged: false, isMarkDamaged: false };
  report.isMarkDamaged = dataMark(files, folder) === "damaged";
  const log = `${folder}/log`;
  const all = segmentsIn(files, log);
  const usedUpTo = all.findLast((file) => isUsed(files, file))?.number ?? -1;
  for (const [index, file] of all.entries()) {
    const holds = file.number > usedUpTo ? "spare" : file.number < neededFrom ? "older" : "newest";
    const missing = index > 0 && all[index - 1]?.number !== file.number - 1;
    if (missing) report.damaged.push({ file: file.path, problem: "the segment before it is missing", holds });
    const problem = problemOf(files, file, { later: all.slice(index + 1), usedUpTo }, report);
    if (problem !== undefined) report.damaged.push({ file: file.path, problem, holds });
  }
  const path = flushedPath(log);
  if (files.exists(path)) {
    const bytes = readFully(files, path);
    report.isFlushedDamaged = [0, FLUSHED_SLOT].some(
      (at) => !isZero(bytes.subarray(at, at + FLUSHED_SLOT)) && !readFrame(bytes, at, 0),
    );
  }
  return report;
}

/** Whether the segment has a header, or frames after a destroyed header. */
function isUsed(files: Files, file: SegmentFile): boolean {
  if (readHeader(files, file)) return true;
  const { bytes } = readSegment(files, file);
  return !scanForFrames(bytes, 0, file.salt).next().done;
}

function problemOf(
  files: Files,
  file: SegmentFile,
  { later, usedUpTo }: { later: readonly SegmentFile[]; usedUpTo: number },
  report: LogReport,
): string | undefined {
  try {
    const segment = readSegment(files, file);
    if (file.number > usedUpTo) return isZero(segment.bytes) ? undefined : "it is not empty";
    report.segments += 1;
    report.frames += segment.frames.length;
    if (!segment.header) return "its header is destroyed";
    if (segment.closed) return undefined;
    if (file.number < usedUpTo) return `damaged at byte ${segment.end}`;
    const spares = later.map((one) => readSegment(files, one)).filter(({ bytes }) => isZero(bytes));
    checkTail(segment, spares);
    if (flushedPosition(files, dirname(file.path)) > position(file.number, segment.end))
      return `damaged at byte ${segment.end}: records after it were acknowledged`;
    return undefined;
  } catch (error) {
    if (error instanceof StorageDamaged) return error.problem;
    throw error;
  }
}
