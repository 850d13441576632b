import { setImmediate } from "node:timers/promises";
import type { App } from "../app.ts";
import { ApiError } from "../errors.ts";

/** Of a call whose work is done in turns. */
export interface SlicedCall {
  readonly app: App;
  onGone(listener: () => void): void;
}

/** However many calls go on in turns, there is one turn at a time between two looks at what else has come in. */
let queue: Promise<unknown> = Promise.resolve();
function nextSlice(): Promise<unknown> {
  queue = queue.then(() => setImmediate());
  return queue;
}

/**
 * Does the work of a call in turns, each a transaction of its own with room for everybody else after it: until all
 * is done, or the longest time that a request may take is over, or the caller has gone. Returns whether all is done.
 */
export async function runInSlices(call: SlicedCall, turn: (begins: boolean) => boolean): Promise<boolean> {
  let gone = false;
  call.onGone(() => {
    gone = true;
  });
  const { app } = call;
  const end = performance.now() + app.maxRequestMs;
  for (let begins = true; !turn(begins); begins = false) {
    if (gone || performance.now() >= end) return false;
    // The log has room for what it can write meanwhile.
    await app.store.durable();
    await nextSlice();
  }
  return true;
}

/** How long a turn goes on with work that can be interrupted at any moment. */
const SLICE_MS = 20;

export const tookTooLong = (message: string) => new ApiError("REQUEST_TIMEOUT", message, {}, { status: 503 });

/** Does work that can be interrupted, with room for everybody else now and then, and answers with what it comes to. */
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
  if (!done || !result) throw tookTooLong("This took too long. Ask for fewer messages, or search for less.");
  return result.value;
}
