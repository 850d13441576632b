/*
 * What takes long in one turn of the event loop holds up everybody, and ten such requests at once hold up everybody ten
 * times as long, since Node handles all that has arrived before it looks for more. So reads, the slices of longer work,
 * and what a caller sends beside another request wait here: each iteration of the event loop lets one of them go on, and
 * what else has arrived is served between.
 */

type Caller = number | string;

/** By caller, those whose turn is next first. */
const waiting = new Map<Caller, (() => void)[]>();

function letOneGoOn(): void {
  const [next] = waiting;
  if (!next) return;
  const [caller, [goOn, ...others]] = next as [Caller, [() => void, ...(() => void)[]]];
  waiting.delete(caller);
  if (others.length > 0) waiting.set(caller, others);
  if (waiting.size > 0) setImmediate(letOneGoOn);
  goOn();
}

/**
 * Resolves in a turn that nobody else has who waits here. Callers (a user's id, or an address) take turns: whoever sends
 * a hundred requests waits for them, and others do not.
 */
export function nextTurn(caller: Caller): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(letOneGoOn);
    const own = waiting.get(caller);
    if (own) own.push(resolve);
    else waiting.set(caller, [resolve]);
  });
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
