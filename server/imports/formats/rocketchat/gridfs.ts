import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { problem } from "../../../errors.ts";
import { NotAnExport } from "../../archive.ts";
import { asCount } from "../../values.ts";
import { type Dump, documentReader, idOf, rawDocuments } from "./dump.ts";

interface Chunk {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

/** Files in a database: documents with pieces in any order. Indexes the positions of the pieces once per bucket. */
export class GridFs {
  readonly #dump: Dump;
  readonly #indexes = new Map<string, Promise<ReadonlyMap<string, readonly Chunk[]>>>();
  readonly #lengths = new Map<string, Promise<ReadonlyMap<string, number>>>();

  constructor(dump: Dump) {
    this.#dump = dump;
  }

  /** Returns a function that checks whether the bucket lists a file. Pieces of the file can still be missing. */
  async listOf(bucket: string): Promise<(id: string) => boolean> {
    if (this.#dump.fileOf(`${bucket}.chunks`) === undefined) return () => false;
    if (this.#dump.fileOf(`${bucket}.files`) === undefined) return () => true;
    const lengths = await this.#lengthsIn(bucket);
    return (id) => lengths.has(id);
  }

  /** @throws NotAnExport if pieces are missing. */
  async open(bucket: string, id: string): Promise<Readable> {
    const file = this.#dump.fileOf(`${bucket}.chunks`);
    const chunks = file === undefined ? undefined : (await this.#indexOf(bucket, file)).get(id);
    const isWhole = chunks?.every(({ number }, at) => number === at);
    if (file === undefined || !chunks || !isWhole) throw missing(bucket, id);
    const length = (await this.#lengthsIn(bucket)).get(id);
    const path = await this.#dump.archive.onDisk(file);
    return Readable.from(pieces(path, chunks, { length, missing: missing(bucket, id) }), { objectMode: false });
  }

  #lengthsIn(bucket: string): Promise<ReadonlyMap<string, number>> {
    return cached(this.#lengths, bucket, async () => {
      const lengths = new Map<string, number>();
      for await (const { _id, length } of this.#dump.documents(`${bucket}.files`)) {
        const id = idOf(_id);
        if (id !== undefined) lengths.set(id, asCount(length) ?? Number.NaN);
      }
      return lengths;
    });
  }

  #indexOf(bucket: string, file: string): Promise<ReadonlyMap<string, readonly Chunk[]>> {
    return cached(this.#indexes, bucket, async () => {
      const read = await documentReader();
      const path = await this.#dump.archive.onDisk(file);
      const found = new Map<string, Map<number, Chunk>>();
      const handle = await open(path);
      try {
        const stream = handle.createReadStream({ autoClose: false, highWaterMark: 1 << 20 });
        for await (const batch of rawDocuments(stream, () => {}))
          for (const { bytes, offset } of batch) {
            const { files_id, n } = read(bytes) ?? {};
            const [id, number] = [idOf(files_id), asCount(n)];
            if (id === undefined || number === undefined) continue;
            const chunks = found.get(id) ?? new Map<number, Chunk>();
            if (!chunks.has(number)) chunks.set(number, { number, offset, length: bytes.length });
            found.set(id, chunks);
          }
      } finally {
        await handle.close();
      }
      const byNumber = (chunks: Map<number, Chunk>) => [...chunks.values()].sort((a, b) => a.number - b.number);
      return new Map([...found].map(([id, chunks]) => [id, byNumber(chunks)]));
    });
  }
}

const missing = (bucket: string, id: string) =>
  new NotAnExport(problem("import_part_missing", { name: `${bucket}/${id}` }));

/** Checks the total length, if it is known. */
async function* pieces(
  path: string,
  chunks: readonly Chunk[],
  whole: { length: number | undefined; missing: NotAnExport },
): AsyncGenerator<Buffer> {
  const read = await documentReader();
  const file = await open(path);
  let sent = 0;
  try {
    for (const { offset, length } of chunks) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
      const data = bytesRead === length ? read(buffer)?.data : undefined;
      if (!(data instanceof Uint8Array)) throw whole.missing;
      sent += data.length;
      if (data.length > 0) yield Buffer.from(data.buffer, data.byteOffset, data.length);
    }
  } finally {
    await file.close();
  }
  if (whole.length !== undefined && !Number.isNaN(whole.length) && sent !== whole.length) throw whole.missing;
}

function cached<T>(values: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const existing = values.get(key);
  if (existing) return existing;
  const value = load();
  values.set(key, value);
  return value;
}
