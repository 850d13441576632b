import type * as fs from "node:fs/promises";
import { removeLater } from "../../storage/files.ts";

/**
 * A flush of this size delays the log's flushes only for a moment. The file continues to grow during a flush, until as
 * many bytes again wait for the next one: then the sender waits for the disk.
 */
const FLUSHED_AT_ONCE = 16 << 20;

/** Opens a file for each operation. While `mayStay` is true, the file stays open between them. */
export class FileInPieces {
  readonly #mayStay: () => boolean;
  #handle: fs.FileHandle | undefined;

  constructor(mayStay: () => boolean) {
    this.#mayStay = mayStay;
  }

  /** Do not call it in parallel. Closes the file after an error. */
  async use<T>(open: () => Promise<fs.FileHandle>, operation: (handle: fs.FileHandle) => Promise<T>): Promise<T> {
    const handle = this.#handle ?? (await open());
    this.#handle = undefined;
    let stays = false;
    try {
      const result = await operation(handle);
      stays = this.#mayStay();
      return result;
    } finally {
      if (stays) this.#handle = handle;
      else await handle.close();
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

export interface IncomingFileOptions {
  open: typeof fs.open;
  onDisk<T>(operation: () => Promise<T>): Promise<T>;
  mayStayOpen(): boolean;
  bufferSize(): number;
  afterWrite(bytes: number): Promise<void>;
  afterFlush(): Promise<void>;
}

/**
 * Writes a file in pieces: while a buffer is written, the other one fills. The copies into two buffers keep a socket's
 * chunks short-lived, so that the garbage collector frees them cheaply.
 */
export class IncomingFile {
  readonly #path: string;
  readonly #file: FileInPieces;
  readonly #with: IncomingFileOptions;
  #filling: Buffer | undefined;
  #spare: Buffer | undefined;
  #filled = 0;
  #written: number;
  #flushed: number;
  #writing: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #isFlushing = false;

  /** With `start`, continues an existing file of this size. */
  constructor(path: string, options: IncomingFileOptions, start = 0) {
    this.#path = path;
    this.#written = start;
    this.#flushed = start;
    this.#with = options;
    this.#file = new FileInPieces(options.mayStayOpen);
  }

  /** With a promise, do not change the chunk until it is settled. @throws errors of earlier writes. */
  append(chunk: Uint8Array): Promise<void> | undefined {
    const buffer = this.#filling;
    if (!buffer || this.#filled + chunk.length >= this.#room(buffer)) return this.#appendInParts(chunk);
    buffer.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  async #appendInParts(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.length; ) {
      const buffer = this.#filling ?? Buffer.allocUnsafeSlow(this.#with.bufferSize());
      this.#filling = buffer;
      const part = chunk.subarray(taken, taken + Math.max(0, this.#room(buffer) - this.#filled));
      buffer.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled >= this.#room(buffer)) await this.#writeBuffer();
    }
  }

  /** The share of the buffer to use. It becomes smaller when more files arrive. */
  #room(buffer: Buffer): number {
    return Math.min(buffer.length, this.#with.bufferSize());
  }

  async finish(): Promise<void> {
    await this.#writeBuffer();
    await this.#writing;
    await this.#flushing;
    await this.#file.close();
    await this.#with.onDisk(() => this.#flush());
  }

  async abandon(): Promise<void> {
    await this.#writing?.catch(() => {});
    await this.#flushing?.catch(() => {});
    await this.#file.close();
    await removeLater(this.#path);
  }

  /** Starts to write the buffer after the write before it. */
  async #writeBuffer(): Promise<void> {
    await this.#writing;
    const buffer = this.#filling ?? Buffer.alloc(0);
    this.#writing = this.#write(buffer.subarray(0, this.#filled));
    this.#writing.catch(() => {}); // thrown by the next await
    this.#filling = this.#spare;
    this.#spare = buffer;
    this.#filled = 0;
  }

  async #write(bytes: Buffer): Promise<void> {
    const { open, onDisk, afterWrite } = this.#with;
    await onDisk(() =>
      this.#file.use(
        () => open(this.#path, this.#written === 0 ? "wx" : "r+", 0o600),
        (file) => writeFully(file, bytes, this.#written),
      ),
    );
    this.#written += bytes.length;
    await this.#flushBehind();
    await afterWrite(bytes.length);
  }

  async #flushBehind(): Promise<void> {
    if (this.#written - this.#flushed < (this.#isFlushing ? 2 : 1) * FLUSHED_AT_ONCE) return;
    await this.#flushing;
    this.#isFlushing = true;
    const through = this.#written;
    this.#flushing = this.#with
      .onDisk(() => this.#flush())
      .then(() => {
        this.#isFlushing = false;
        this.#flushed = through;
        return this.#with.afterFlush();
      });
    this.#flushing.catch(() => {}); // thrown by the next await
  }

  async #flush(): Promise<void> {
    const file = await this.#with.open(this.#path, "r+", 0o600);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

async function writeFully(file: fs.FileHandle, bytes: Buffer, start: number): Promise<void> {
  // A write can be partial.
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, start + written)).bytesWritten;
}
