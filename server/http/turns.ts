/*
 * What takes long in one turn of the event loop holds up everybody, and ten such requests at once hold up everybody ten
 * times as long, since Node handles all that has arrived before it looks for more. So reads, the slices of longer work,
 * and what a caller sends beside another request wait here: each iteration of the event loop lets one of them go on, and
 * what else has arrived is served between.
 *
 * Between two long turns of one caller the others get as much time as the first one took. One iteration would not be
 * enough: libuv accepts one connection in each, a request is read in the next, and its answer waits for the disk.
 */

type Caller = number | string;

/** In milliseconds: from when a turn is long, the longest rest after one, and how long a silence ends it. */
const LONG = 5;
const MAX_REST = 20;
const QUIET = 1;

/** By caller, those whose turn is next first. */
const waiting = new Map<Caller, (() => void)[]>();
/** Until when others go first, by caller: a time of `performance`. */
const restsUntil = new Map<Caller, number>();
/** Whether somebody has had this turn, or waits for the next one. */
let isTaken = false;
/** Who had the latest turn; when it began, until its length is known. */
let latest: Caller | undefined;
let begunAt: number | undefined;

/** When the latest connection or request came. */
let arrivedAt = 0;
/** Answers that are ready but for what the disk has to confirm. */
let unconfirmed = 0;

/** Takes note of a connection or a request: it may be served before whoever has just had a long turn goes on. */
export function noteArrival(): void {
  arrivedAt = performance.now();
}

/** The same of an answer, from when it waits for the disk until it goes out. */
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

/** Whose turn it is; undefined where all who wait are resting and what has arrived may be served first. */
function nextCaller(now: number): Caller | undefined {
  let [first, earliest]: [Caller | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const caller of waiting.keys()) {
    const until = restsUntil.get(caller) ?? 0;
    // Whoever had the latest turn lets others go first.
    if (now >= until && caller !== latest) return caller;
    if (until < earliest) [first, earliest] = [caller, until];
  }
  const isQuiet = now - arrivedAt > QUIET && unconfirmed === 0;
  return now >= earliest || isQuiet ? first : undefined;
}

/**
 * Resolves in a turn that nobody else has who waits here. Callers (a user's id, or an address) take turns: whoever sends
 * a hundred requests waits for them, and others do not. What has `begun` goes before the caller's other requests, so
 * that the first is finished, and takes no memory any more, before the next is begun.
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

/** The same; undefined where this turn is free, and the caller goes on at once. */
export function turnFor(caller: Caller): Promise<void> | undefined {
  if (isTaken) return nextTurn(caller);
  take(caller);
  return undefined;
}

/** How long the latest turn has lasted, in milliseconds; 0 once it is over. */
export const turnLength = (): number => (begunAt === undefined ? 0 : performance.now() - begunAt);

/** Who has been served at once in this iteration of the event loop. */
const served = new Set<Caller>();

/** Whether a request may be handled at once: the first of its caller in this iteration, with none that waits. */
export function mayGoAtOnce(caller: Caller): boolean {
  if (served.has(caller) || waiting.has(caller)) return false;
  if (served.size === 0) setImmediate(() => served.clear());
  served.add(caller);
  return true;
}
