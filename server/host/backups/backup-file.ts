import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { heldContents } from "../../api/queries/backups.ts";
import { allFiles, type RecordedFile, uploadName } from "../../api/queries/files.ts";
import { type Files, readPieces } from "../../storage/files.ts";
import { PAGE_SIZE } from "../../storage/pages.ts";
import { openSaved, type SavedDatabase } from "../../storage/saved-database.ts";
import type { UnsavedPages } from "../../storage/store.ts";
import { ArchiveReader, ArchiveWriter } from "./archive.ts";
import { BackupMalformed, BackupTooNew } from "./errors.ts";

/*
 * What is in a backup, in this order (docs/architecture.md#backups):
 *
 *   hearth-backup.json      what the backup is (BackupAbout)
 *   database/000001.gz …    hearth.db, each 4 MB of it compressed by itself
 *   uploads/KIND/AB/NAME    as in the data folder
 *   secret.key.json         only with a passphrase, encrypted by it
 *   manifest.json           name, size and SHA-256 of each entry before it
 *   manifest.sha256         that of manifest.json
 */
export const ABOUT = "hearth-backup.json";
export const SECRET = "secret.key.json";
const MANIFEST = "manifest.json";
const MANIFEST_SUM = "manifest.sha256";
const FORMAT = 1;
/** In one entry. */
const PAGES_IN_PART = (4 << 20) / PAGE_SIZE;
/** Of each entry that is read at once; a damaged file must not ask for more memory. The manifest grows with the uploads. */
const MAX_SMALL = PAGES_IN_PART * PAGE_SIZE * 2;
/** Text shrinks to a third at this level, at 100 MB a second; the next ones take much longer for a few percent. */
const COMPRESSION = { level: 1 };

const count = z.int().min(0);

export const backupAbout = z.object({
  format: z.literal(FORMAT),
  /** The Hearth that made it. */
  version: z.string(),
  /** Milliseconds since the epoch. */
  created_at: count,
  made_by: z.enum(["schedule", "request"]),
  organization: z.string(),
  organization_created_at: count,
  people: count,
  messages: count,
  newest_message_id: count,
  newest_message_at: count.nullable(),
  newest_user_id: count,
  key_rotations: count,
  files: z.object({ count, bytes: count }),
  /** Files that the database names and that were not there. */
  missing_files: count,
  /** Files in the backup with other contents than were received. */
  damaged_files: count.default(0),
  /** SHA-256 of the names of missing and damaged files; empty: there is none. It tells states of damage apart. */
  lacks: z.string().default(""),
  has_secret: z.boolean(),
  /** `last_event_id` is the newest that any client may know; `event_id` that of the database. */
  database: z.object({
    pages: z.int().min(1),
    seq: count,
    event_id: count,
    last_event_id: count,
    schema: count,
    engine: z.string(),
  }),
});
/** What a backup says of itself. */
export type BackupAbout = z.output<typeof backupAbout>;

const manifestSchema = z.object({
  entries: z.array(z.object({ name: z.string().regex(/^[!-~]{1,100}$/), size: count, sha256: z.string() })),
});

export interface BackupJob {
  dataFolder: string;
  /** What the disk of the data has no room for. */
  unsaved?: UnsavedPages | undefined;
  /** The finished file. Until then there is only one with another name. */
  to: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  madeBy: BackupAbout["made_by"];
  version: string;
  lastEventId: number;
  /** `secret.key` under a passphrase. */
  sealedSecret?: Uint8Array | undefined;
}

export interface Progress {
  /** The database is in the file: its store may change it again. */
  databaseCopied?(): void;
  /** Bytes read, and how many there will be; called often. */
  advanced?(done: number, total: number): void;
  /** Called after each megabyte that was written: a place to wait, or to throw. */
  paused?(bytes: number): void;
}

export interface FinishedBackup {
  about: BackupAbout;
  /** Bytes of the file. */
  size: number;
}

export interface MadeBackup extends FinishedBackup {
  /** Names of the files that are missing or damaged. */
  lacking: readonly string[];
}

/** Of a file in the folder of backups, in UTC. */
export const backupName = /^hearth-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/;

export const partialName = (path: string): string => `${path}.partial`;

/**
 * Writes a backup of what is on disk: `hearth.db`, which nobody may change before `databaseCopied`, and uploads/, from
 * which nobody may remove anything before the end. The file is flushed and read back before it gets its name, so that
 * a crash at any moment leaves none that looks whole.
 *
 * It blocks its thread. Throws PageDamaged, BackupDamaged if the file reads differently, and the errors of the disk.
 */
export async function writeBackup(files: Files, job: BackupJob, progress: Progress = {}): Promise<MadeBackup> {
  const partial = partialName(job.to);
  const database = await openSaved(job.dataFolder, files, job.unsaved);
  try {
    const file = files.open(partial, "create");
    let made: MadeBackup;
    try {
      made = writeContents(files, { job, database, to: file, progress });
    } finally {
      file.close();
    }
    verifyBackup(files, partial, { advanced: () => progress.paused?.(0) });
    files.rename(partial, job.to);
    files.syncFolder(dirname(job.to));
    return made;
  } catch (error) {
    try {
      files.remove(partial);
    } catch {
      // The next backup removes it; why this one failed matters more.
    }
    throw error;
  } finally {
    database.close();
  }
}

function writeContents(
  files: Files,
  {
    job,
    database,
    to,
    progress,
  }: { job: BackupJob; database: SavedDatabase; to: ReturnType<Files["open"]>; progress: Progress },
): MadeBackup {
  const recorded = allFiles(database.reader);
  const present = recorded.filter((file) => sizeOf(files, uploadPath(job.dataFolder, file)) === file.size);
  const fileBytes = present.reduce((sum, { size }) => sum + size, 0);
  const about: BackupAbout = {
    format: FORMAT,
    version: job.version,
    created_at: job.createdAt,
    made_by: job.madeBy,
    ...heldContents(database.reader),
    files: { count: present.length, bytes: fileBytes },
    missing_files: recorded.length - present.length,
    damaged_files: 0,
    lacks: "",
    has_secret: job.sealedSecret !== undefined,
    database: {
      pages: database.pages,
      seq: database.seq,
      event_id: database.eventId,
      last_event_id: job.lastEventId,
      schema: database.schema,
      engine: database.engine,
    },
  };
  const archive = new ArchiveWriter(to, job.createdAt, (bytes) => progress.paused?.(bytes));
  const addWhole = (name: string, bytes: Uint8Array) => archive.add(name, bytes.length, [bytes]);
  const total = database.pages * PAGE_SIZE + fileBytes;
  let done = 0;
  const advance = (bytes: number) => {
    done += bytes;
    progress.advanced?.(done, total);
  };
  // It comes first, so that it can be read without the rest, and says what was found in reading the rest.
  const first = archive.reserve(ABOUT, aboutText(about).length + ROOM_FOR_DAMAGE);
  for (let first = 0; first < database.pages; first += PAGES_IN_PART) {
    const pages = database.read(first, PAGES_IN_PART);
    addWhole(partName(first / PAGES_IN_PART), gzipSync(pages, COMPRESSION));
    advance(pages.length);
  }
  progress.databaseCopied?.();
  const there = new Set(present);
  const lacking = recorded.filter((file) => !there.has(file)).map(({ name }) => name);
  for (const file of present) {
    const { sha256: found } = archive.add(
      uploadName(file),
      file.size,
      readPieces(files, uploadPath(job.dataFolder, file)),
    );
    if (file.sha256 !== null && found !== file.sha256) {
      lacking.push(file.name);
      about.damaged_files += 1;
    }
    advance(file.size);
  }
  if (lacking.length > 0) about.lacks = sha256(Buffer.from(lacking.sort().join("\n")));
  archive.fill(first, aboutText(about));
  if (job.sealedSecret) addWhole(SECRET, job.sealedSecret);
  const manifest = Buffer.from(`${JSON.stringify({ entries: archive.entries })}\n`);
  addWhole(MANIFEST, manifest);
  addWhole(MANIFEST_SUM, Buffer.from(`${sha256(manifest)}  ${MANIFEST}\n`));
  return { about, size: archive.finish(), lacking };
}

/** For the digits of `damaged_files`, and `lacks`. */
const ROOM_FOR_DAMAGE = 80;
const aboutText = (about: BackupAbout): Buffer => Buffer.from(`${JSON.stringify(about, null, 2)}\n`);

const partName = (index: number): string => `database/${String(index + 1).padStart(6, "0")}.gz`;
const uploadPath = (dataFolder: string, file: RecordedFile): string => join(dataFolder, uploadName(file));
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Undefined where there is no file. */
function sizeOf(files: Files, path: string): number | undefined {
  if (!files.exists(path)) return undefined;
  const file = files.open(path, "read");
  try {
    return file.size;
  } finally {
    file.close();
  }
}

/** Takes the contents of a backup, as they are read. */
export interface BackupContents {
  about?(about: BackupAbout): void;
  /** Whole pages of the database, in order. */
  pages?(pages: Buffer): void;
  /** An upload, by its path in the data folder. The pieces are to be read before this returns. */
  upload?(path: string, pieces: Iterable<Buffer>): void;
  secret?(sealed: Buffer): void;
  /** Bytes read, of all. */
  advanced?(done: number, total: number): void;
}

/**
 * Reads a whole backup and compares each byte with what was written. What it hands over before it returns may still
 * turn out to be damaged. It blocks its thread. Throws NotABackup, BackupDamaged, BackupTooNew and disk errors.
 */
export function verifyBackup(files: Files, path: string, take: BackupContents = {}): FinishedBackup {
  const file = files.open(path, "read");
  try {
    const { size } = file;
    const archive = new ArchiveReader(file, path, ABOUT);
    const found: { name: string; size: number; sha256: string }[] = [];
    const small = new Map<string, Buffer>();
    let about: BackupAbout | undefined;
    let pages = 0;
    for (let entry = archive.next(); entry; entry = archive.next()) {
      const { name } = entry;
      const hash = createHash("sha256");
      const pieces = hashed(archive.content(), hash, () => take.advanced?.(archive.position, size));
      if (name.startsWith("uploads/")) {
        if (!/^uploads\/[a-z]+\/[\da-f]{2}\/[\da-f]{32}$/.test(name))
          throw archive.damaged(`${name} is no name of an upload`);
        if (take.upload) take.upload(name, pieces);
        else for (const _ of pieces);
      } else {
        if (name !== MANIFEST) assertSmall(archive, entry);
        const bytes = Buffer.concat([...copies(pieces)]);
        if (name === ABOUT) {
          about = readAbout(path, archive, bytes);
          take.about?.(about);
        } else if (name === partName(Math.ceil(pages / PAGES_IN_PART))) {
          const part = unzipped(archive, name, bytes);
          pages += part.length / PAGE_SIZE;
          take.pages?.(part);
        } else if (name === SECRET) take.secret?.(bytes);
        else if (name !== MANIFEST && name !== MANIFEST_SUM) throw archive.damaged(`${name} does not belong there`);
        else small.set(name, bytes);
      }
      found.push({ ...entry, sha256: hash.digest("hex") });
    }
    if (!about) throw archive.damaged(`${ABOUT} is missing`);
    compare(path, archive, { found, manifest: small.get(MANIFEST), sum: small.get(MANIFEST_SUM) });
    if (pages !== about.database.pages)
      throw archive.damaged(`${pages} pages of the database are there, not ${about.database.pages}`);
    return { about, size };
  } finally {
    file.close();
  }
}

/** Reads only what a backup says of itself, which `verifyBackup` may still find damaged. Throws as that does. */
export function aboutBackup(files: Files, path: string): FinishedBackup {
  const file = files.open(path, "read");
  try {
    const archive = new ArchiveReader(file, path, ABOUT);
    assertSmall(archive, archive.next());
    return { about: readAbout(path, archive, Buffer.concat([...copies(archive.content())])), size: file.size };
  } finally {
    file.close();
  }
}

function assertSmall(archive: ArchiveReader, entry: { name: string; size: number } | undefined): void {
  if (entry && entry.size > MAX_SMALL) throw archive.damaged(`${entry.name} is larger than it can be`);
}

function readAbout(path: string, archive: ArchiveReader, bytes: Buffer): BackupAbout {
  let fields: unknown;
  try {
    fields = JSON.parse(bytes.toString());
  } catch {
    throw archive.damaged(`${ABOUT} cannot be read`);
  }
  const stated = z.object({ format: z.int(), version: z.string() }).safeParse(fields).data;
  if (stated && stated.format > FORMAT) throw new BackupTooNew(path, stated.version);
  const about = backupAbout.safeParse(fields);
  if (!about.success) throw archive.damaged(`${ABOUT} is not what was written`);
  return about.data;
}

function unzipped(archive: ArchiveReader, name: string, bytes: Buffer): Buffer {
  let part: Buffer;
  try {
    part = gunzipSync(bytes, { maxOutputLength: PAGES_IN_PART * PAGE_SIZE });
  } catch {
    throw archive.damaged(`${name}, a part of the database, is not what was written`);
  }
  if (part.length === 0 || part.length % PAGE_SIZE !== 0) throw archive.damaged(`${name} holds no whole pages`);
  return part;
}

function compare(
  path: string,
  archive: ArchiveReader,
  {
    found,
    manifest,
    sum,
  }: { found: { name: string; size: number; sha256: string }[]; manifest: Buffer | undefined; sum: Buffer | undefined },
): void {
  if (!manifest || !sum) throw archive.damaged(`${manifest ? MANIFEST_SUM : MANIFEST} is missing`);
  if (sum.toString() !== `${sha256(manifest)}  ${MANIFEST}\n`)
    throw archive.damaged(`${MANIFEST}, or the checksum of it in ${MANIFEST_SUM}, is not what was written`);
  const { entries } = manifestIn(path, manifest);
  const names = [...entries.map(({ name }) => name), MANIFEST, MANIFEST_SUM];
  for (const [index, { name, size, sha256: digest }] of found.entries()) {
    const written = entries[index];
    if (name !== names[index]) throw archive.damaged(`${names[index] ?? "the end"} is missing before ${name}`);
    if (written && (written.size !== size || written.sha256 !== digest))
      throw archive.damaged(`${name} is not what was written`);
  }
  if (found.length !== names.length) throw archive.damaged(`${names[found.length]} is missing`);
}

/** Its checksum only says that its maker wrote it. */
function manifestIn(path: string, bytes: Buffer): z.output<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(bytes.toString()));
  } catch {
    throw new BackupMalformed(path, "manifest");
  }
}

function* hashed(
  pieces: Iterable<Buffer>,
  hash: ReturnType<typeof createHash>,
  after: () => void,
): Generator<Buffer, void, undefined> {
  for (const piece of pieces) {
    hash.update(piece);
    yield piece;
    after();
  }
}

function* copies(pieces: Iterable<Buffer>): Generator<Buffer, void, undefined> {
  for (const piece of pieces) yield Buffer.from(piece);
}
