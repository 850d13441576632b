/*
 * Node handles everything that has arrived in one iteration of the event loop, so ten expensive requests at once would
 * delay everyone ten times as long. Reads, slices of long work, large responses and parallel requests of one caller
 * therefore wait here for a turn. Each iteration has one turn, and callers take turns, so a caller with a hundred
 * requests delays only their own. Writes and long polls of different callers need no turn (`mayGoAtOnce`).
 *
 * An iteration accepts only one connection, reads its request one iteration later, and the response then waits for the
 * disk. If a long turn ran in each of them, others would wait for many. So after a long turn other callers go first for
 * the same time, or until nothing arrives and no response waits.
 */

/** A user's id, or the source of a request without an account. */
type Caller = number | string;

/** In milliseconds: a long turn, the maximum rest after it, and the silence that ends a rest. */
const LONG = 5;
const MAX_REST = 20;
const QUIET = 1;

/** By caller. The next caller comes first. */
const waiting = new Map<Caller, (() => void)[]>();
/** By caller, the time of `performance` until which other callers go first. */
const restsUntil = new Map<Caller, number>();
/** Whether the current iteration has its turn already. */
let isTaken = false;
/** The caller of the latest turn, and when it began; undefined when it is over. */
let latest: Caller | undefined;
let begunAt: number | undefined;

/** When the latest connection or request arrived. */
let arrivedAt = 0;
/** Responses that wait for the disk. */
let unconfirmed = 0;

/** Call this for each new connection or request: others may go before a caller that rests. */
export function noteArrival(): void {
  arrivedAt = performance.now();
}

/** Call this with 1 when a response begins to wait for the disk, and with -1 when it stops. */
export function noteUnconfirmed(change: 1 | -1): void {
  unconfirmed += change;
}

function take(caller: Caller): void {
  latest = caller;
  begunAt = performance.now();
  lookAgain();
}

function lookAgain(): void {
  if (isTaken) return;
  isTaken = true;
  setImmediate(letOneGoOn);
}

function letOneGoOn(): void {
  isTaken = false;
  const now = performance.now();
  if (latest !== undefined && begunAt !== undefined && now - begunAt > LONG)
    restsUntil.set(latest, now + Math.min(now - begunAt, MAX_REST));
  begunAt = undefined;
  if (waiting.size === 0) {
    restsUntil.clear();
    return;
  }
  const caller = nextCaller(now);
  if (caller === undefined) {
    lookAgain();
    return;
  }
  const [goOn, ...others] = waiting.get(caller) as [() => void, ...(() => void)[]];
  waiting.delete(caller);
  if (others.length > 0) waiting.set(caller, others);
  take(caller);
  goOn();
}

/** The next caller; undefined while all waiting callers are resting and other work can go first. */
function nextCaller(now: number): Caller | undefined {
  let [first, earliest]: [Caller | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const caller of waiting.keys()) {
    const until = restsUntil.get(caller) ?? 0;
    if (now >= until && caller !== latest) return caller;
    if (until < earliest) [first, earliest] = [caller, until];
  }
  const isQuiet = now - arrivedAt > QUIET && unconfirmed === 0;
  return now >= earliest || isQuiet ? first : undefined;
}

/**
 * Resolves in a turn of its own. Work that has `begun` goes before the caller's other requests, so that the first
 * request frees its memory before the next one begins.
 */
export function nextTurn(caller: Caller, { begun = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(caller);
    if (own === undefined) waiting.set(caller, [resolve]);
    else if (begun) own.unshift(resolve);
    else own.push(resolve);
    lookAgain();
  });
}

/** Like `nextTurn`, but undefined if this turn is free: then the caller continues immediately. */
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
