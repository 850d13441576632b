import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { ApiError } from "../../errors.ts";
import { StorageFull } from "../../storage/errors.ts";
import type { IncomingFile } from "./incoming-file.ts";

/** A flushed file without a name. The next start removes it. */
export interface TemporaryFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** The first 4 kB, to detect its type. */
  readonly head: Buffer;
  /** Whether all of it is valid UTF-8. */
  readonly isUtf8: boolean;
}

export interface SizeLimit {
  readonly bytes: number;
  /** The error for a larger file. */
  readonly refusal: () => ApiError;
}

export const unlimited: SizeLimit = {
  bytes: Number.POSITIVE_INFINITY,
  refusal: () => {
    throw new Error("A file without a limit was too large.");
  },
};

const HEAD_BYTES = 4096;

/** A temporary file that is being written. `finish` or `abandon` ends it. */
export class FileBeingReceived {
  readonly #path: string;
  readonly #content: IncomingFile;
  readonly #limit: SizeLimit;
  readonly #ended: () => void;
  readonly #hash = createHash("sha256");
  readonly #head: Uint8Array[] = [];
  #headSize = 0;
  readonly #utf8 = new Utf8Check();
  #size = 0;
  /** The last asynchronous operation. */
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
   * With a promise, do not change the bytes or call it again until the promise is settled.
   * @throws the limit's refusal; the promise rejects with StorageFull.
   */
  append(bytes: Uint8Array): Promise<void> | undefined {
    this.#size += bytes.length;
    if (this.#size > this.#limit.bytes) throw this.#limit.refusal();
    this.#hash.update(bytes);
    this.#utf8.add(bytes);
    if (this.#headSize < HEAD_BYTES) {
      // Copied, since a slice keeps the whole buffer in memory.
      this.#head.push(Uint8Array.from(bytes.subarray(0, HEAD_BYTES - this.#headSize)));
      this.#headSize += Math.min(bytes.length, HEAD_BYTES - this.#headSize);
    }
    const last = this.#last;
    if (last) return this.#wait(last.then(() => this.#content.append(bytes)));
    const appended = this.#content.append(bytes);
    return appended && this.#wait(appended);
  }

  /** Writes and flushes the rest. Removes the file if it fails. @throws StorageFull */
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
    return { path: this.#path, size: this.#size, sha256, head, isUtf8: this.#utf8.isValid() };
  }

  /** Removes the file. */
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

/** Checks bytes in pieces. The first bytes that are not UTF-8 end the work, so it costs nothing for pictures and videos. */
class Utf8Check {
  /** The bytes of an incomplete character; undefined after bytes that are not UTF-8. */
  #rest: Uint8Array | undefined = new Uint8Array();

  add(bytes: Uint8Array): void {
    if (!this.#rest) return;
    const given = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const incomplete = [0, 1, 2, 3].find((cut) => cut <= given.length && isUtf8(given.subarray(0, given.length - cut)));
    this.#rest = incomplete === undefined ? undefined : Uint8Array.from(given.subarray(given.length - incomplete));
  }

  isValid(): boolean {
    return this.#rest?.length === 0;
  }
}

/** Converts the error of a full disk to StorageFull. */
export function asFull(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? new StorageFull() : error;
}
