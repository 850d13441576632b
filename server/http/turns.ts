/*
 * What takes long in one turn of the event loop holds up everybody, and ten such requests at once hold up everybody ten
 * times as long, since Node handles all that has arrived before it looks for more. So reads, and the slices of longer
 * work, wait here: each iteration of the event loop lets one of them go on, and what else has arrived is served between.
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
