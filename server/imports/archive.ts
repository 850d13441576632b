import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Failure, problem } from "../errors.ts";
import type { FileSource } from "./model.ts";
import { SmallEntries } from "./small-entries.ts";

/** The export cannot be read. */
export class NotAnExport extends Failure {
  override readonly name = "NotAnExport";
}

/** The files of an export: a zip file, a tar file (compressed or not), a folder, or a single file. */
export interface Archive {
  /** Bytes by name. Names are relative, with slashes, and safe: no `..`, no links. */
  readonly files: ReadonlyMap<string, number>;
  /** @throws NotAnExport if there is no such file. */
  open(name: string): Promise<Readable>;
  /** The path of the file's contents, to read them in any order. Copies files of zip files and compressed files (`.gz`). */
  onDisk(name: string): Promise<string>;
  close(): Promise<void>;
}

/** The outermost folder that has these files, ending in a slash unless empty. */
export function folderOf({ files }: Pick<Archive, "files">, name: string, ...others: string[]): string | undefined {
  return [...files.keys()]
    .filter((path) => path === name || path.endsWith(`/${name}`))
    .map((path) => path.slice(0, -name.length))
    .sort((a, b) => a.length - b.length)
    .find((folder) => others.every((other) => files.has(folder + other)));
}

/** The path of a file that was fetched from a URL. */
export type FetchedFiles = (url: string) => Promise<string | undefined>;

/** `openFile` of readers whose files are files of the archive, or were fetched. */
export const openFileOf =
  (archive: Archive, fetched?: FetchedFiles) =>
  async (source: FileSource): Promise<Readable> => {
    if (source === "missing" || "gridfs" in source) throw missing("");
    if ("path" in source) return archive.open(source.path);
    const path = await fetched?.(source.url);
    if (path === undefined) throw missing(source.url.replace(/[?#].*/s, "")); // the query may have a token
    return createReadStream(path);
  };

/** A file of the archive, decompressed if its name ends in `.gz`. */
export async function openContents(
  archive: Pick<Archive, "files" | "open">,
  name: string,
  limits: Partial<ArchiveLimits> = {},
): Promise<Readable> {
  const source = await archive.open(name);
  if (!name.endsWith(".gz")) return source;
  const packed = archive.files.get(name) as number;
  let unpacked = 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      unpacked += piece.length;
      try {
        checkBytes(unpacked, packed, { ...LIMITS, ...limits });
        done(null, piece);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  pipeline(source, createGunzip(), counted).catch(() => {}); // the reader of `counted` gets the error
  return counted;
}

export interface ArchiveLimits {
  /** Number of files. */
  files: number;
  /** An archive that unpacks to more bytes must not be much larger than its file: see `ratio`. */
  bytes: number;
  /** Unpacked bytes for each byte of the file. */
  ratio: number;
}

const LIMITS: ArchiveLimits = { files: 2_000_000, bytes: 1 << 30, ratio: 100 };

/** `workFolder` is an empty folder for unpacked files, which `close` removes. */
export async function openArchive(
  path: string,
  workFolder: string,
  limits: Partial<ArchiveLimits> = {},
): Promise<Archive> {
  const bounds = { ...LIMITS, ...limits };
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new NotAnExport(problem("import_file_unreadable", { path, cause: error.code ?? error.message }));
  });
  if (info.isDirectory()) return openFolder(path, workFolder, bounds);
  const start = await firstBytes(path);
  if (start.subarray(0, 2).toString("latin1") === "PK") return openZip(path, info.size, workFolder, bounds);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  if (isGzip || start.subarray(257, 262).toString("latin1") === "ustar")
    return unpackTar({ path, size: info.size, isGzip }, workFolder, bounds);
  return archiveOf(new Map([[basename(path), info.size]]), () => path, workFolder);
}

/** Enough for the mark of a tar file. */
const START_BYTES = 512;

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const missing = (name: string) => new NotAnExport(problem("import_part_missing", { name }));

/** A safe relative name, or undefined: archives must not name files outside of them. */
export function safeName(name: string): string | undefined {
  const parts = name.replaceAll("\\", "/").split("/");
  const isUnsafe = name.includes("\0") || /^[a-zA-Z]:/.test(name) || parts[0] === "" || parts.includes("..");
  return isUnsafe ? undefined : parts.filter((part) => part !== "" && part !== ".").join("/");
}

function checkFiles(count: number, { files }: ArchiveLimits): void {
  if (count > files) throw new NotAnExport(problem("import_too_many_files", { count: files }));
}

function checkBytes(unpacked: number, packed: number, { bytes, ratio }: ArchiveLimits): void {
  if (unpacked > bytes && unpacked > packed * ratio) throw new NotAnExport(problem("import_unpacks_too_large"));
}

async function openFolder(path: string, workFolder: string, limits: ArchiveLimits): Promise<Archive> {
  const files = new Map<string, number>();
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue; // links could lead outside
    const file = join(entry.parentPath, entry.name);
    files.set(file.slice(path.length + 1).replaceAll("\\", "/"), (await lstat(file)).size);
    checkFiles(files.size, limits);
  }
  return archiveOf(files, (name) => join(path, ...name.split("/")), workFolder);
}

function archiveOf(files: ReadonlyMap<string, number>, pathOf: (name: string) => string, workFolder: string): Archive {
  const opened = {
    files,
    async open(name: string) {
      if (!files.has(name)) throw missing(name);
      return createReadStream(pathOf(name));
    },
  };
  const copy = copies(opened, workFolder);
  return {
    ...opened,
    onDisk: async (name) => (files.has(name) && !name.endsWith(".gz") ? pathOf(name) : copy(name)),
    close: () => rm(workFolder, { recursive: true, force: true }),
  };
}

/** Copies each file once. */
function copies(archive: Pick<Archive, "files" | "open">, workFolder: string): (name: string) => Promise<string> {
  const made = new Map<string, Promise<string>>();
  const copied = async (name: string, target: string): Promise<string> => {
    await mkdir(workFolder, { recursive: true });
    await pipeline(await openContents(archive, name), createWriteStream(target));
    return target;
  };
  return (name) => {
    const existing = made.get(name);
    if (existing) return existing;
    const copy = copied(name, join(workFolder, `copy-${made.size}`));
    made.set(name, copy);
    return copy;
  };
}

/** Entries often have UTF-8 names without the UTF-8 flag. */
const nameIn = (bytes: Buffer): string => {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? bytes.toString("latin1") : text;
};

async function openZip(path: string, size: number, workFolder: string, limits: ArchiveLimits): Promise<Archive> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false, validateEntrySizes: true }).catch(
    (error: Error) => {
      throw new NotAnExport(problem("import_file_damaged", { path, cause: error.message }));
    },
  );
  const entries = new Map<string, Parameters<typeof zip.openReadStreamPromise>[0]>();
  const files = new Map<string, number>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = safeName(nameIn(entry.fileNameRaw));
      if (name === undefined || entry.fileNameRaw.at(-1) === 0x2f) continue;
      entries.set(name, entry);
      files.set(name, entry.uncompressedSize);
      unpacked += entry.uncompressedSize;
      checkFiles(files.size, limits);
      checkBytes(unpacked, size, limits);
    }
  } catch (error) {
    zip.close();
    if (error instanceof NotAnExport) throw error;
    throw new NotAnExport(problem("import_file_damaged", { path, cause: (error as Error).message }));
  }
  const small = await SmallEntries.of(path);
  const opened = {
    files,
    async open(name: string) {
      const entry = entries.get(name);
      if (!entry) throw missing(name);
      try {
        if (SmallEntries.has(entry)) return Readable.from([await small.read(entry)]);
        return await zip.openReadStreamPromise(entry);
      } catch (error) {
        throw new NotAnExport(problem("import_file_damaged", { path, cause: (error as Error).message }));
      }
    },
  };
  return {
    ...opened,
    onDisk: copies(opened, workFolder),
    close: async () => {
      zip.close();
      await small.close();
      await rm(workFolder, { recursive: true, force: true });
    },
  };
}

/** The files get numbers as names, so that a name in the archive never becomes a path. */
async function unpackTar(
  { path, size, isGzip }: { path: string; size: number; isGzip: boolean },
  workFolder: string,
  limits: ArchiveLimits,
): Promise<Archive> {
  const { extract } = await import("tar-stream");
  await mkdir(workFolder, { recursive: true });
  const files = new Map<string, number>();
  const paths = new Map<string, string>();
  const unpacked = extract();
  const source = createReadStream(path);
  const packed = isGzip ? pipeline(source, createGunzip(), unpacked) : pipeline(source, unpacked);
  packed.catch(() => {}); // the loop below gets the error too
  let bytes = 0;
  try {
    for await (const entry of unpacked) {
      const { name, type, size: length = 0 } = entry.header;
      const safe = type === "file" ? safeName(name) : undefined;
      bytes += length;
      checkBytes(bytes, size, limits);
      if (safe === undefined) {
        entry.resume();
        continue;
      }
      checkFiles(files.size + 1, limits);
      const target = join(workFolder, String(files.size));
      await pipeline(entry, createWriteStream(target));
      files.set(safe, length);
      paths.set(safe, target);
    }
    await packed;
  } catch (error) {
    source.destroy();
    await rm(workFolder, { recursive: true, force: true });
    if (error instanceof NotAnExport) throw error;
    throw new NotAnExport(problem("import_file_damaged", { path, cause: (error as Error).message }));
  }
  return archiveOf(files, (name) => paths.get(name) as string, workFolder);
}
