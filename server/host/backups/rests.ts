import { PACES } from "./pace.ts";

/** At most, for each piece of work. */
const MAX_REST_MS = 100;

/** Blocks a thread for as long as its last work took; throws when that was called off. */
export class Rests {
  readonly #pace: Int32Array;
  #since = performance.now();

  constructor(pace: SharedArrayBuffer) {
    this.#pace = new Int32Array(pace);
  }

  /** Throws where the work was called off. */
  check(): void {
    if (Atomics.load(this.#pace, 0) === PACES.ended) throw new Error("It was called off.");
  }

  rest(): void {
    this.check();
    const worked = performance.now() - this.#since;
    if (worked >= 1) Atomics.wait(this.#pace, 0, PACES.gentle, Math.min(worked, MAX_REST_MS));
    this.#since = performance.now();
  }
}
