/**
 * How fast a thread goes through the database and the files: `gentle` rests as long as it works, so that the disk and
 * the processor are free for chat; `ended` stops at the next megabyte.
 */
export const PACES = { gentle: 0, fast: 1, ended: 2 } as const;
export type Pace = keyof typeof PACES;

/** The pace of one piece of work, set from the server's thread at any time. Once ended, it stays so. */
export class PaceSetter {
  /** One number in memory that both threads see (rests.ts reads it). */
  readonly shared = new SharedArrayBuffer(4);
  readonly #pace = new Int32Array(this.shared);

  get isEnded(): boolean {
    return Atomics.load(this.#pace, 0) === PACES.ended;
  }

  set(pace: Pace): void {
    if (this.isEnded) return;
    Atomics.store(this.#pace, 0, PACES[pace]);
    Atomics.notify(this.#pace, 0);
  }
}
