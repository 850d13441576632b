/*
 * What takes long in one turn of the event loop holds up everybody, and ten such requests at once hold up everybody ten
 * times as long, since Node handles all that has arrived before it looks for more. So reads, the slices of longer work,
 * and what a caller sends beside another request wait here: each iteration of the event loop lets one of them go on, and
 * what else has arrived is served between.
 */

type Caller = number | string;

/** By caller, those whose turn is next first. */
const waiting = new Map<Caller, (() => void)[]>();
/** Whether somebody has had this turn, or waits for the next one. */
let isTaken = false;
/** Who had the latest turn. */
let latest: Caller | undefined;

function take(caller: Caller | undefined): void {
  latest = caller;
  if (isTaken) return;
  isTaken = true;
  setImmediate(letOneGoOn);
}

function letOneGoOn(): void {
  isTaken = false;
  const [first, second] = waiting;
  if (!first) return;
  // Whoever had the latest turn lets others go first.
  const next = second && first[0] === latest ? second : first;
  const [caller, [goOn, ...others]] = next as [Caller, [() => void, ...(() => void)[]]];
  waiting.delete(caller);
  if (others.length > 0) waiting.set(caller, others);
  take(caller);
  goOn();
}

/**
 * Resolves in a turn that nobody else has who waits here. Callers (a user's id, or an address) take turns: whoever sends
 * a hundred requests waits for them, and others do not.
 */
export function nextTurn(caller: Caller): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(caller);
    if (own) own.push(resolve);
    else waiting.set(caller, [resolve]);
    if (!isTaken) take(undefined);
  });
}

/** The same; undefined where this turn is free, and the caller goes on at once. */
export function turnFor(caller: Caller): Promise<void> | undefined {
  if (isTaken) return nextTurn(caller);
  take(caller);
  return undefined;
}

/** Who has been served at once in this iteration of the event loop. */
const served = new Set<Caller>();

/** Whether a request may be handled at once: the first of its caller in this iteration, with none that waits. */
export function mayGoAtOnce(caller: Caller): boolean {
  if (served.has(caller) || waiting.has(caller)) return false;
  if (served.size === 0) setImmediate(() => served.clear());
  served.add(caller);
  return true;
}
