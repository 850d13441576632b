import { setImmediate } from "node:timers/promises";
import type { App } from "../app.ts";

/**
 * Does the work of a call in turns, each a transaction of its own with room for everybody else after it: until all
 * is done, or the longest time that a request may take is over, or the caller has gone. Returns whether all is done.
 */
export async function inTurns(
  call: { readonly app: App; onGone(listener: () => void): void },
  turn: (begins: boolean) => boolean,
): Promise<boolean> {
  let gone = false;
  call.onGone(() => {
    gone = true;
  });
  const { app } = call;
  const end = performance.now() + app.longestRequestMs;
  for (let begins = true; !turn(begins); begins = false) {
    if (gone || performance.now() >= end) return false;
    // The log has room for what it can write meanwhile.
    await app.store.durable();
    await setImmediate();
  }
  return true;
}
