import type { Readable } from "node:stream";
import type { DeserializeOptions, Document } from "bson";
import { type Archive, openContents } from "../../archive.ts";
import { type Fields, fieldsOf } from "../../values.ts";

/** MongoDB's limit of a document, with the overhead of its protocol. */
const MAX_DOCUMENT_BYTES = (16 << 20) + (16 << 10);
const MIN_DOCUMENT_BYTES = 5;

export interface RawDocument {
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly offset: number;
}

/** The documents of a BSON file, in batches. An invalid length ends the file: the next document cannot be found. */
export async function* rawDocuments(stream: Readable, onUnreadable: () => void): AsyncGenerator<RawDocument[]> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let needed = 4;
  let offset = 0;
  for await (const piece of untilDamage(stream, onUnreadable)) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < needed) continue;
    const buffer = pieces.length === 1 ? piece : Buffer.concat(pieces, bytes);
    const whole: RawDocument[] = [];
    let at = 0;
    needed = 4;
    let isBroken = false;
    while (buffer.length - at >= 4) {
      const length = buffer.readInt32LE(at);
      isBroken = length < MIN_DOCUMENT_BYTES || length > MAX_DOCUMENT_BYTES;
      if (isBroken) break;
      if (buffer.length - at < length) {
        needed = length;
        break;
      }
      whole.push({ bytes: buffer.subarray(at, at + length), offset });
      at += length;
      offset += length;
    }
    if (whole.length > 0) yield whole;
    if (isBroken) return onUnreadable();
    pieces = at < buffer.length ? [buffer.subarray(at)] : [];
    bytes = buffer.length - at;
  }
  if (bytes > 0) onUnreadable();
}

/** Damaged compression ends the file, like an invalid length. */
async function* untilDamage(stream: Readable, onUnreadable: () => void): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
    onUnreadable();
  }
}

const OPTIONS: DeserializeOptions = { promoteBuffers: true, validation: { utf8: false } };

/** Undefined if it is malformed. */
export async function documentReader(): Promise<(bytes: Uint8Array) => Fields | undefined> {
  const { deserialize } = await import("bson");
  return (bytes) => {
    try {
      return deserialize(bytes, OPTIONS) as Document as Fields;
    } catch {
      return undefined; // also deep nesting, which ends the stack
    }
  };
}

/** The collections of a database: `dump/<database>/<collection>.bson`, or `.bson.gz`. */
export class Dump {
  readonly archive: Archive;
  readonly #folder: string;
  /** Documents that could not be read, by the file's name. */
  readonly unreadable = new Map<string, number>();

  constructor(archive: Archive, folder: string) {
    this.archive = archive;
    this.#folder = folder;
  }

  /** The file of a collection. Undefined if the dump does not contain it. */
  fileOf(collection: string): string | undefined {
    const name = `${this.#folder}${collection}.bson`;
    return [name, `${name}.gz`].find((file) => this.archive.files.has(file));
  }

  async *documents(collection: string): AsyncGenerator<Fields> {
    for await (const batch of this.batches(collection)) yield* batch;
  }

  /** The documents in batches, for large collections. */
  async *batches(collection: string): AsyncGenerator<Fields[]> {
    const file = this.fileOf(collection);
    if (file === undefined) return;
    const read = await documentReader();
    let unreadable = 0;
    const stream = await openContents(this.archive, file);
    for await (const batch of rawDocuments(stream, () => void unreadable++)) {
      const documents = batch.map(({ bytes }) => read(bytes));
      const readable = documents.filter((document) => document !== undefined);
      unreadable += documents.length - readable.length;
      yield readable;
    }
    this.unreadable.set(collection, unreadable);
  }
}

/** The folder with the database of a Rocket.Chat server, ending in a slash unless empty. */
export function databaseFolder(archive: Archive): string | undefined {
  const folders = [...archive.files.keys()]
    .map((name) => /^(|.*\/)rocketchat_message\.bson(?:\.gz)?$/.exec(name)?.[1])
    .filter((folder) => folder !== undefined)
    .sort();
  const has = (name: string): boolean => archive.files.has(name) || archive.files.has(`${name}.gz`);
  return folders.find((folder) => ["rocketchat_room", "users"].every((name) => has(`${folder}${name}.bson`)));
}

/** An ID: a text, or an ObjectId as hex. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value.toWellFormed();
  const { toHexString } = fieldsOf(value);
  return typeof toHexString === "function" ? String(toHexString.call(value)) : undefined;
}
