import { Failure, problem } from "../../errors.ts";
import type { StoredFiles } from "../../media/files/stored-files.ts";
import type { Store, UnsavedPages } from "../../storage/store.ts";

/**
 * How fast a thread reads the database and the files. `gentle` rests as long as it works, so that chat keeps disk and
 * processor time. `ended` stops at the next megabyte.
 */
export const PACES = { gentle: 0, fast: 1, ended: 2 } as const;
export type Pace = keyof typeof PACES;

/** The pace of one task. The server's thread can change it at any time, except after `ended`. */
export class PaceSetter {
  /** One number, in memory that both threads share. */
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

const MAX_REST_MS = 100;

/** The working thread's side of a PaceSetter. */
export class Rests {
  readonly #pace: Int32Array;
  #since = performance.now();

  constructor(pace: SharedArrayBuffer) {
    this.#pace = new Int32Array(pace);
  }

  /** Throws if the task was canceled. */
  check(): void {
    if (Atomics.load(this.#pace, 0) === PACES.ended) throw new Failure(problem("task_canceled"));
  }

  /** Blocks the thread for as long as its last work took. Throws if the task was canceled. */
  rest(): void {
    this.check();
    const worked = performance.now() - this.#since;
    if (worked >= 1) Atomics.wait(this.#pace, 0, PACES.gentle, Math.min(worked, MAX_REST_MS));
    this.#since = performance.now();
  }
}

/** Above this size of changed pages in memory, the pace is fast. */
const HURRY_BYTES = 96 << 20;
const WATCH_MS = 250;

/**
 * Calls `read` while the database file does not change and no upload is removed. During that time, changes stay in
 * memory, so `read` should call `databaseRead` as soon as it has read the database. `withoutRoom`: see Store.snapshot.
 */
export async function withPacedSnapshot<Result>(
  { store, files }: { store: Store; files: StoredFiles },
  pace: PaceSetter,
  read: (databaseRead: () => void, unsaved: UnsavedPages | undefined) => Promise<Result>,
  options: { withoutRoom?: boolean } = {},
): Promise<Result> {
  const releaseFiles = files.hold();
  try {
    const snapshot = await store.snapshot(options);
    const watching = setInterval(() => {
      if (store.sizes.changed >= HURRY_BYTES) pace.set("fast");
    }, WATCH_MS);
    const databaseRead = () => {
      clearInterval(watching);
      pace.set("gentle");
      snapshot.release();
    };
    try {
      return await read(databaseRead, snapshot.unsaved);
    } finally {
      databaseRead();
    }
  } finally {
    await releaseFiles();
  }
}
