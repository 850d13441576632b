import { ApiError, problem } from "../errors.ts";
import { nextTurn } from "./turns.ts";

/** The parts of a call that sliced work uses. */
export interface SlicedCall {
  readonly app: {
    /** The maximum duration of a request, in milliseconds. */
    readonly maxRequestMs: number;
    readonly store: { durable(): Promise<void> | undefined; untilRoom(): Promise<void> | undefined };
  };
  /** The caller, for turns (http/turns.ts); absent for the server's own work. */
  readonly caller?: number | string;
  onGone(listener: () => void): void;
}

/**
 * Calls `slice` until it returns true, and lets other requests run between the calls. Stops early at the maximum
 * duration of a request, or when the client disconnects. Returns whether the work is complete.
 */
export async function runInSlices(call: SlicedCall, slice: (begins: boolean) => boolean): Promise<boolean> {
  let disconnected = false;
  call.onGone(() => {
    disconnected = true;
  });
  const { app } = call;
  const end = performance.now() + app.maxRequestMs;
  for (let begins = true; !slice(begins); begins = false) {
    if (disconnected || performance.now() >= end) return false;
    // The log must not grow faster than the disk can write it.
    await app.store.durable();
    await nextTurn(call.caller ?? 0, { begun: true });
    for (let room = app.store.untilRoom(); room; room = app.store.untilRoom()) await room;
  }
  return true;
}

/** Duration of an iterator's slice. */
const SLICE_MS = 20;

export const tookTooLong = (reason: "timed_out" | "timed_out_marking" | "search_not_ready" | "fetch_took_too_long") =>
  new ApiError("REQUEST_TIMEOUT", problem(reason), {}, { status: 503 });

/** Runs an iterator in slices and returns its result. Throws `tookTooLong` if it does not finish in time. */
export async function runIteratorInSlices<T>(call: SlicedCall, work: Iterator<undefined, T>): Promise<T> {
  let result: { value: T } | undefined;
  const done = await runInSlices(call, () => {
    const end = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) result = { value: step.value };
    } while (!result && performance.now() < end);
    return result !== undefined;
  });
  if (!done || !result) throw tookTooLong("fetch_took_too_long");
  return result.value;
}
