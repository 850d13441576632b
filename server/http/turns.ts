/*
 * Node handles everything that has arrived in one iteration of the event loop, so ten expensive requests at once would
 * delay everyone ten times as long. Reads, slices of long work, large responses and parallel requests of one caller
 * therefore wait here for a turn. Each iteration has one turn, and callers take turns, so a caller with a hundred
 * requests delays only their own. Writes and long polls of different callers need no turn (`mayGoAtOnce`).
 *
 * An iteration accepts only one connection and reads a request one iteration later. If a long turn ran in each of them,
 * twenty new connections would wait for twenty long turns. So after a long turn other callers go first for the same
 * time. If none of them has anything to do, the caller continues after a few empty iterations.
 */

/** A user's id, or the source of a request without an account. */
type Caller = number | string;

const LONG_MS = 5;
const MAX_REST_MS = 20;
const EMPTY_ITERATIONS = 20;

/** By caller. The next caller comes first. */
const waiting = new Map<Caller, (() => void)[]>();
/** By caller, the time of `performance` until which other callers go first. */
const restsUntil = new Map<Caller, number>();
/** Whether the current iteration has its turn already. */
let isTaken = false;
let emptyIterations = 0;
let latest: Caller | undefined;
/** When the latest turn began; undefined when it is over. */
let begunAt: number | undefined;

function take(caller: Caller): void {
  latest = caller;
  begunAt = performance.now();
  emptyIterations = 0;
  schedule();
}

function schedule(): void {
  isTaken = true;
  setImmediate(runNext);
}

function runNext(): void {
  isTaken = false;
  const now = performance.now();
  const length = now - (begunAt ?? now);
  if (latest !== undefined && length > LONG_MS) restsUntil.set(latest, now + Math.min(length, MAX_REST_MS));
  begunAt = undefined;
  if (waiting.size === 0) {
    restsUntil.clear();
    return;
  }
  const caller = nextCaller(now);
  if (caller === undefined) {
    schedule();
    return;
  }
  const own = waiting.get(caller) as (() => void)[];
  const run = own.shift() as () => void;
  waiting.delete(caller);
  if (own.length > 0) waiting.set(caller, own);
  take(caller);
  run();
}

function nextCaller(now: number): Caller | undefined {
  const rested = [...waiting.keys()].filter((caller) => now >= (restsUntil.get(caller) ?? 0));
  const next = rested.find((caller) => caller !== latest) ?? rested[0];
  if (next !== undefined) return next;
  emptyIterations += 1;
  return emptyIterations > EMPTY_ITERATIONS ? [...waiting.keys()][0] : undefined;
}

/**
 * Resolves in a turn of its own. Work that has `begun` goes before the caller's other requests, so that the first
 * request frees its memory before the next one begins.
 */
export function nextTurn(caller: Caller, { begun = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(caller);
    if (!own) waiting.set(caller, [resolve]);
    else if (begun) own.unshift(resolve);
    else own.push(resolve);
    if (!isTaken) schedule();
  });
}

/** The same, but undefined if this turn is free: then the caller continues immediately. */
export function turnFor(caller: Caller): Promise<void> | undefined {
  if (isTaken) return nextTurn(caller);
  take(caller);
  return undefined;
}

/** Callers that `mayGoAtOnce` has let through in this iteration of the event loop. */
const served = new Set<Caller>();

/** Whether a request needs no turn: the caller's first in this iteration, if none of theirs waits. */
export function mayGoAtOnce(caller: Caller): boolean {
  if (served.has(caller) || waiting.has(caller)) return false;
  if (served.size === 0) setImmediate(() => served.clear());
  served.add(caller);
  return true;
}
