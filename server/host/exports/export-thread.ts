import { statfsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { exportScope } from "../../api/access/exports.ts";
import type { ExportContents, ExportType } from "../../api/queries/exports.ts";
import { userById } from "../../api/queries/users.ts";
import type { StoredFile } from "../../media/files/stored-files.ts";
import { readPieces, realFiles } from "../../storage/files.ts";
import { openSaved } from "../../storage/saved-database.ts";
import { ArchiveWriter } from "../backups/archive.ts";
import { partialName } from "../backups/backup-file.ts";
import { Rests } from "../backups/pace.ts";
import { failedMessage, type LastMessage } from "../backups/run-on-thread.ts";
import { type ExportEntry, plainFormat } from "./plain-format.ts";

/*
 * Reads and writes apart from the server's thread, with calls that block: those that do not would take Node's four
 * threads for files from the log.
 */

export interface ExportJob {
  readonly dataFolder: string;
  /** The finished file. Until then there is only one with another name. */
  readonly to: string;
  readonly type: ExportType;
  /** A user's id. */
  readonly madeBy: number;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly version: string;
  /** With less room on the disk it fails, so that the server can still write messages. Bytes. */
  readonly minFreeBytes: number;
}

export interface ExportThreadData {
  readonly job: ExportJob;
  /** One number, which the server's thread may set at any time: one of PACES. */
  readonly pace: SharedArrayBuffer;
}

/** How far an export is: messages are read first, and then files are copied, in bytes. */
export interface ExportProgress {
  readonly phase: "messages" | "files";
  readonly done: number;
  readonly total: number;
}

export interface MadeExport extends ExportContents {
  /** Of the file. */
  readonly bytes: number;
}

export type ExportNews =
  | ({ type: "advanced" } & ExportProgress)
  /** The database is not needed any more. */
  | { type: "database read" };

/** Of progress, in milliseconds. */
const REPORT_MS = 200;

const port = parentPort;
if (!port)
  throw new Error("server/host/exports/export-thread.ts runs as a worker thread: use server/host/exports/exports.ts.");
const post = (message: ExportNews | LastMessage<MadeExport>) => port.postMessage(message);
const { job, pace } = workerData as ExportThreadData;
const rests = new Rests(pace);
/** Everything is in one folder of the archive, which bears its name. */
const FOLDER = `${basename(job.to, ".tar")}/`;

let reportedAt = Number.NEGATIVE_INFINITY;
function advanced(progress: ExportProgress): void {
  rests.rest();
  const now = performance.now();
  if (now - reportedAt < REPORT_MS) return;
  reportedAt = now;
  post({ type: "advanced", ...progress });
}

const uploadPath = ({ kind, name }: StoredFile) => join(job.dataFolder, "uploads", kind, name.slice(0, 2), name);

function isPresent(file: StoredFile): boolean {
  const path = uploadPath(file);
  if (!realFiles.exists(path)) return false;
  const opened = realFiles.open(path, "read");
  try {
    return opened.size === file.size;
  } finally {
    opened.close();
  }
}

function assertRoom(): void {
  const { bavail, bsize } = statfsSync(dirname(job.to));
  if (bavail * bsize < job.minFreeBytes)
    throw Object.assign(new Error("The disk is nearly full."), { code: "ENOSPC" as const });
}

/** Writes the archive and flushes it before it gets its name, or leaves nothing of it. */
async function write(): Promise<MadeExport> {
  rests.check(); // it may have been called off already
  const partial = partialName(job.to);
  const database = await openSaved(job.dataFolder);
  try {
    assertRoom();
    const file = realFiles.open(partial, "create");
    let made: MadeExport;
    try {
      const archive = new ArchiveWriter(file, job.requestedAt, () => {
        assertRoom();
        rests.rest();
      });
      const { reader } = database;
      const viewer = userById(reader, job.madeBy);
      if (!viewer) throw new Error(`There is no user ${job.madeBy}.`);
      const entries = plainFormat({
        reader,
        scope: exportScope(reader, job.type),
        type: job.type,
        viewer,
        requestedAt: job.requestedAt,
        version: job.version,
        isPresent,
        advanced: (done, total) => advanced({ phase: "messages", done, total }),
      });
      const contents = writeEntries(archive, entries);
      const sums = archive.entries.map(({ name, sha256 }) => `${sha256}  ${name.slice(FOLDER.length)}\n`).join("");
      archive.add(`${FOLDER}SHA256SUMS`, sums.length, [Buffer.from(sums)]);
      made = { ...contents, bytes: archive.finish() };
    } finally {
      file.close();
    }
    realFiles.rename(partial, job.to);
    realFiles.syncFolder(dirname(job.to));
    return made;
  } catch (error) {
    realFiles.remove(partial);
    throw error;
  } finally {
    database.close();
  }
}

/** Everything that is read from the database first, and then the uploads, whose sizes are known by then. */
function writeEntries(archive: ArchiveWriter, entries: Generator<ExportEntry, ExportContents>): ExportContents {
  const copied: { name: string; file: StoredFile }[] = [];
  let next = entries.next();
  for (; !next.done; next = entries.next()) {
    const { name, content } = next.value;
    if (content instanceof Uint8Array) archive.add(FOLDER + name, content.length, [content]);
    else copied.push({ name, file: content });
  }
  post({ type: "database read" });
  const total = copied.reduce((sum, { file }) => sum + file.size, 0);
  let done = 0;
  for (const { name, file } of copied) {
    archive.add(FOLDER + name, file.size, readPieces(realFiles, uploadPath(file)));
    done += file.size;
    advanced({ phase: "files", done, total });
  }
  return next.value;
}

write().then(
  (result) => post({ type: "done", result }),
  (error: NodeJS.ErrnoException) => post(failedMessage(error)),
);
