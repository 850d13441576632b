import { DATABASE, formatPath, openDatabase, requireMark } from "./checkpoint.ts";
import { Database } from "./database.ts";
import { SchemaTooNew, StorageDamaged } from "./errors.ts";
import type { Files } from "./files.ts";
import { type Frame, FrameKind, frameSize } from "./frames.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import type { SavedState } from "./pages.ts";
import { decodeRecord, type LogRecord } from "./records.ts";
import {
  checkTail,
  flushedPosition,
  isZero,
  position,
  readHeader,
  readSegment,
  type Segment,
  type SegmentFile,
  segmentsIn,
} from "./segments.ts";

export interface RecoveryReport {
  /** Records replayed on top of the checkpoint. */
  replayed: number;
  /** Set if the remains of an unacknowledged write were removed. */
  torn?: { file: string; offset: number };
  /** Set if a segment that was never used was not empty: it contains nothing, and is filled with zeros again. */
  strayBytes?: string;
}

export interface Recovered {
  database: Database;
  seq: number;
  /** The newest record in the log. */
  logged: number;
  /** Newest event id in the log. */
  eventId: number;
  /** Newest event id that may have been used. */
  reserved: number;
  /** Acknowledged event ids by queue, as last saved. */
  cursors: Record<string, number>;
  /** Where the log continues; undefined if it needs a new segment. */
  tail: { file: SegmentFile; offset: number; dictionary: Map<string, number> } | undefined;
  /** Number of the newest segment in use. */
  segment: number;
  /** The first segment that may have records after the checkpoint. */
  neededFrom: number;
  /** Size of the records after the checkpoint. */
  bytes: number;
  /** Whether another schema or engine wrote this data: then a checkpoint is due. */
  stale: boolean;
  report: RecoveryReport;
}

/** Runs the missing migrations up to `version`. */
export function migrate(database: Database, version: number, migrations: readonly string[] = allMigrations): void {
  for (let done = database.schemaVersion; done < version; done += 1) {
    database.script(`BEGIN; ${migrations[done]}; PRAGMA user_version = ${done + 1}; COMMIT;`);
  }
}

/**
 * Whether the folder contains data, which a start must not ignore. The remains of an interrupted `init` do not count,
 * since it marks the folder only after the first checkpoint is on disk.
 */
export function holdsData(files: Files, folder: string): boolean {
  const paths = [formatPath(folder), `${folder}/${DATABASE}`];
  if (paths.some((path) => files.exists(path))) return true;
  return segmentsIn(files, `${folder}/log`).some((file) => readSegment(files, file).frames.length > 0);
}

/** Opens the database as the last checkpoint left it. */
async function load(files: Files, folder: string, schema: number): Promise<{ database: Database; state: SavedState }> {
  requireMark(files, folder);
  const { paged, state } = await openDatabase(files, folder);
  const path = `${folder}/${DATABASE}`;
  try {
    const database = await Database.open(paged);
    const inside = database.get<{ seq: number; event_id: number }>("SELECT seq, event_id FROM store_state");
    if (inside?.seq !== state.seq || inside.event_id !== state.eventId)
      throw new StorageDamaged(path, `contains record ${inside?.seq}, not ${state.seq}`);
    if (database.schemaVersion > schema) throw new SchemaTooNew(path, database.schemaVersion, schema);
    return { database, state };
  } catch (error) {
    paged.close();
    throw error;
  }
}

/** Applies a record; throws at the first difference from its recorded outcome. */
export function applyRecord(database: Database, record: LogRecord, seq: number, where: string): void {
  database.control("BEGIN");
  for (const { sql, values, changes, rowid } of record.statements) {
    let outcome: { changes: number; rowid: number };
    try {
      outcome = database.run(sql, values);
    } catch (error) {
      throw new StorageDamaged(
        where,
        `record ${seq} (${record.action}) cannot be replayed: ${(error as Error).message}`,
      );
    }
    if (outcome.changes !== changes || outcome.rowid !== rowid) {
      throw new StorageDamaged(
        where,
        `record ${seq} (${record.action}) replays differently: ${outcome.changes} rows and row id ${outcome.rowid} instead of ${changes} and ${rowid}, in ${sql.slice(0, 80)}`,
      );
    }
  }
  database.control("COMMIT");
}

/** Runs before the first change, since data of a newer Hearth must not change. */
function rejectNewerLog(files: Files, folder: string, schema: number): void {
  for (const file of segmentsIn(files, `${folder}/log`)) {
    const header = readHeader(files, file);
    if (header && header.schema > schema) throw new SchemaTooNew(file.path, header.schema, schema);
  }
}

/**
 * Opens the database as the last checkpoint left it and replays the log after it.
 *
 * Throws StorageDamaged or SchemaTooNew, naming the file.
 */
export async function recover(
  files: Files,
  folder: string,
  { migrations = allMigrations }: { migrations?: readonly string[] } = {},
): Promise<Recovered> {
  const report: RecoveryReport = { replayed: 0 };
  rejectNewerLog(files, folder, migrations.length);
  const { database, state: saved } = await load(files, folder, migrations.length);
  try {
    return replayLog(files, folder, { database, saved, report, migrations });
  } catch (error) {
    database.close();
    throw error;
  }
}

function replayLog(
  files: Files,
  folder: string,
  {
    database,
    saved,
    report,
    migrations,
  }: { database: Database; saved: SavedState; report: RecoveryReport; migrations: readonly string[] },
): Recovered {
  const state: Recovered = {
    database,
    seq: saved.seq,
    eventId: saved.eventId,
    reserved: saved.eventId,
    cursors: {},
    tail: undefined,
    logged: 0,
    segment: saved.segment - 1,
    neededFrom: saved.segment,
    bytes: 0,
    stale: database.schemaVersion < migrations.length,
    report,
  };
  const segments = segmentsIn(files, `${folder}/log`).filter(({ number }) => number >= saved.segment);
  if (segments[0]?.number !== saved.segment) {
    throw new StorageDamaged(
      `${folder}/log`,
      `segment ${saved.segment}, with which the log goes on after ${DATABASE}, is missing`,
    );
  }
  const engine = database.engine;
  let last: Segment | undefined;
  for (const [index, file] of segments.entries()) {
    if (index > 0 && file.number !== (segments[index - 1] as SegmentFile).number + 1) {
      throw new StorageDamaged(file.path, `segment ${file.number - 1} before it is missing`);
    }
    const segment = readSegment(files, file);
    if (segment.header) {
      replaySegment(state, segment, engine, migrations);
      last = segment;
    } else if (index === 0) throw new StorageDamaged(file.path, "its header is destroyed");
    if (segment.closed) continue;
    const later = segments.slice(index + 1).map((next) => readSegment(files, next));
    clearTornTail(files, state, segment, later);
    const stray = later.find(({ bytes }) => !isZero(bytes));
    if (stray) report.strayBytes = stray.file.path;
    break;
  }
  if (state.logged < saved.seq)
    throw new StorageDamaged(
      last?.file.path ?? `${folder}/log`,
      `records ${state.logged + 1} to ${saved.seq}, which ${DATABASE} contains, are missing`,
    );
  if (last) flushTail(files, folder, last, segments.at(-1) as SegmentFile);
  return state;
}

/**
 * Checks that no acknowledged record is missing, and flushes the last write, which a killed process may have left
 * unflushed. All earlier writes are flushed. It is written again first, because its flush may have failed: the kernel
 * then marks the pages as clean, though they are only in memory, and another flush alone would succeed.
 */
function flushTail(files: Files, folder: string, last: Segment, newest: SegmentFile): void {
  const { file, frames, bytes, end, closed } = last;
  if (closed && newest.number === file.number) {
    throw new StorageDamaged(`${folder}/log`, `segment ${file.number + 1}, with which the log goes on, is missing`);
  }
  if (flushedPosition(files, `${folder}/log`) > position(file.number, end)) {
    throw new StorageDamaged(file.path, `damaged at byte ${end}: records after it were acknowledged`);
  }
  const mark = frames.findLast(({ kind }) => kind === FrameKind.mark);
  const from = mark ? mark.end - frameSize(0) : 0;
  const handle = files.open(file.path, "write");
  try {
    handle.write(bytes.subarray(from, end), from);
    handle.sync();
  } finally {
    handle.close();
  }
}

function replaySegment(state: Recovered, segment: Segment, engine: string, migrations: readonly string[]): void {
  const { header, file, frames } = segment;
  if (!header) return;
  if (header.schema > migrations.length) throw new SchemaTooNew(file.path, header.schema, migrations.length);
  if (header.seq > state.seq)
    throw new StorageDamaged(file.path, `records ${state.seq + 1} to ${header.seq} are missing before it`);
  if (header.schema > state.database.schemaVersion) migrate(state.database, header.schema, migrations);
  if (header.engine !== engine || header.schema < migrations.length) state.stale = true;
  state.segment = file.number;
  state.logged = header.seq;
  state.eventId = Math.max(state.eventId, header.eventId);
  state.reserved = Math.max(state.reserved, header.reserved, header.eventId);
  const dictionary = new Map<string, number>();
  const texts: string[] = [];
  for (const frame of frames) {
    if (frame.kind === FrameKind.reserve) state.reserved = Math.max(state.reserved, frame.number);
    if (frame.kind === FrameKind.cursors)
      state.cursors = JSON.parse(frame.payload.toString()) as Record<string, number>;
    if (frame.kind !== FrameKind.record) continue;
    const record = readRecord(frame, dictionary, texts, file.path);
    state.logged = frame.number;
    if (frame.number <= state.seq) continue;
    state.bytes += frameSize(frame.payload.length);
    if (frame.number !== state.seq + 1)
      throw new StorageDamaged(file.path, `record ${state.seq + 1} is missing before ${frame.number}`);
    applyRecord(state.database, record, frame.number, file.path);
    state.seq = frame.number;
    state.eventId = record.events.at(-1)?.id ?? state.eventId;
    state.report.replayed += 1;
  }
  state.reserved = Math.max(state.reserved, state.eventId);
  state.tail = segment.closed ? undefined : { file, offset: segment.end, dictionary };
}

function readRecord(frame: Frame, dictionary: Map<string, number>, texts: string[], where: string): LogRecord {
  try {
    return decodeRecord(frame, dictionary, texts);
  } catch (error) {
    throw new StorageDamaged(where, `record ${frame.number} cannot be read: ${(error as Error).message}`);
  }
}

/** Overwrites the remains of an unacknowledged write with zeros, so that old bytes never follow new frames. */
function clearTornTail(files: Files, state: Recovered, last: Segment, later: readonly Segment[]): void {
  if (checkTail(last, later) === "clean") return;
  const from = last.header ? last.end : 0;
  const file = files.open(last.file.path, "write");
  try {
    file.write(Buffer.alloc(Math.max(0, last.bytes.length - from)), from);
    file.sync();
  } finally {
    file.close();
  }
  state.report.torn = { file: last.file.path, offset: from };
}
