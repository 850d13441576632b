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

/* Uses calls that block, on a thread of its own. Asynchronous calls would occupy the file threads that the log needs. */

export interface ExportJob {
  readonly dataFolder: string;
  /** Path of the finished file. Until then the file has another name. */
  readonly to: string;
  readonly type: ExportType;
  /** User id. */
  readonly madeBy: number;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly version: string;
  /** The export fails if the disk has less free space, so that the server can still store messages. */
  readonly minFreeBytes: number;
}

export interface ExportThreadData {
  readonly job: ExportJob;
  /** PaceSetter.shared. */
  readonly pace: SharedArrayBuffer;
}

/** The unit is ids of messages in the first phase, and bytes in the second phase. */
export interface ExportProgress {
  readonly phase: "messages" | "files";
  readonly done: number;
  readonly total: number;
}

export interface MadeExport extends ExportContents {
  /** Size of the file. */
  readonly bytes: number;
}

export type ExportNews =
  | ({ type: "advanced" } & ExportProgress)
  /** The export no longer needs the database. */
  | { type: "database read" };

/** Minimum time between two progress messages. */
const REPORT_MS = 200;

const port = parentPort;
if (!port)
  throw new Error("server/host/exports/export-thread.ts runs as a worker thread: use server/host/exports/exports.ts.");
const post = (message: ExportNews | LastMessage<MadeExport>) => port.postMessage(message);
const { job, pace } = workerData as ExportThreadData;
const rests = new Rests(pace);
/** The archive has one folder, so that unpacking creates no loose files. */
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

/** Flushes the archive before it gets its name. Removes it after a failure. */
async function write(): Promise<MadeExport> {
  rests.check(); // it may already be canceled
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

/** Writes everything from the database first, then the uploads. */
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
