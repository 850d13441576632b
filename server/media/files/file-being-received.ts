import { createHash } from "node:crypto";
import type { ApiError } from "../../errors.ts";
import { StorageFull } from "../../storage/errors.ts";
import type { IncomingFile } from "./incoming-file.ts";

/** A file whose contents are on disk, flushed, and which has no name yet. It goes at the next start. */
export interface TemporaryFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Of what was received, in hexadecimal. */
  readonly sha256: string;
  /** The first 4 kB, by which its type can be told. */
  readonly head: Buffer;
}

export interface SizeLimit {
  readonly bytes: number;
  /** What is thrown for a larger file. */
  readonly refusal: () => ApiError;
}

const HEAD_BYTES = 4096;

/** A temporary file whose contents come. Either `finish` or `abandon` ends it. */
export class FileBeingReceived {
  readonly #path: string;
  readonly #content: IncomingFile;
  readonly #limit: SizeLimit;
  readonly #ended: () => void;
  readonly #hash = createHash("sha256");
  readonly #head: Uint8Array[] = [];
  #headSize = 0;
  #size = 0;
  /** What was asked last, where that takes time. */
  #last: Promise<void> | undefined;
  #hasEnded = false;

  constructor(
    path: string,
    content: IncomingFile,
    limit: SizeLimit,
    { room, ended }: { room: Promise<void>; ended: () => void },
  ) {
    this.#path = path;
    this.#content = content;
    this.#limit = limit;
    this.#ended = ended;
    void this.#wait(room);
  }

  /**
   * The next call waits for the promise, where there is one, and the bytes stay as they are until then.
   * @throws the limit's refusal; its promise StorageFull.
   */
  append(bytes: Uint8Array): Promise<void> | undefined {
    this.#size += bytes.length;
    if (this.#size > this.#limit.bytes) throw this.#limit.refusal();
    this.#hash.update(bytes);
    if (this.#headSize < HEAD_BYTES) {
      // Copied, since what is left of the bytes would keep all of them.
      this.#head.push(Uint8Array.from(bytes.subarray(0, HEAD_BYTES - this.#headSize)));
      this.#headSize += Math.min(bytes.length, HEAD_BYTES - this.#headSize);
    }
    const last = this.#last;
    if (last) return this.#wait(last.then(() => this.#content.append(bytes)));
    const appended = this.#content.append(bytes);
    return appended && this.#wait(appended);
  }

  /** Writes and flushes what is left. @throws StorageFull; then nothing of it stays. */
  async finish(): Promise<TemporaryFile> {
    try {
      await this.#last;
      await this.#content.finish();
    } catch (error) {
      await this.abandon();
      throw asFull(error);
    }
    this.#end();
    const [sha256, head] = [this.#hash.digest("hex"), Buffer.concat(this.#head)];
    return { path: this.#path, size: this.#size, sha256, head };
  }

  /** Nothing of it stays. */
  async abandon(): Promise<void> {
    await this.#last?.catch(() => {});
    await this.#content.abandon();
    this.#end();
  }

  #wait(promise: Promise<void>): Promise<void> {
    const waiting = promise.then(
      () => {
        if (this.#last === waiting) this.#last = undefined;
      },
      (error) => {
        throw asFull(error);
      },
    );
    waiting.catch(() => {}); // thrown by the next call
    this.#last = waiting;
    return waiting;
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#ended();
  }
}

/** What a full disk says, as the error for it. */
export function asFull(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? new StorageFull() : error;
}
