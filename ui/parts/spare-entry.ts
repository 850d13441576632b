// A spare entry of the browser's history has the URL of the entry before it. Back and Forward skip it, unless a layer is
// open that Back closes.

interface Entry {
  readonly href: string;
  readonly isSpare: boolean;
  /** Grows from entry to entry, to tell Back from Forward. Undefined for a new entry. */
  readonly at: number | undefined;
  /** Unique, even if another entry replaces this position. */
  readonly key: string | undefined;
}

function entry(): Entry {
  const { isSpare = false, at, key } = (window.history.state ?? {}) as Partial<Entry>;
  return { href: window.location.href, isSpare, at, key };
}

let here: Entry | undefined;

/** Identifies the current history entry in this window; undefined for a new entry. */
export const entryKey = (): string | undefined => entry().key;

/** Close functions of open layers, the topmost last. */
const closers: (() => void)[] = [];

/** Follows the history; call it before anything opens. */
export function followHistory(): void {
  if (here) return;
  arrive();
  window.addEventListener("popstate", onPopState);
}

/** Records the current entry, and numbers a new one. */
function arrive(change: { isSpare?: boolean } = {}, href?: string): Entry {
  const { at = (here?.at ?? 0) + 1, key = `${at} ${Date.now()}` } = entry();
  window.history.replaceState({ ...window.history.state, ...change, at, key }, "", href);
  here = entry();
  return here;
}

/** Makes the current entry a spare one. */
export const makeSpare = (href?: string): void => void arrive({ isSpare: true }, href);

/** Goes to a hash, replacing a spare entry. */
export function goToHash(hash: string): void {
  if (!entry().isSpare) window.location.hash = hash;
  else if (hash !== window.location.hash) window.location.replace(hash);
  if (here) arrive();
}

/** Back calls `close` until the returned function is called. */
export function closeByBack(close: () => void): () => void {
  followHistory();
  closers.push(close);
  takeBack();
  return () => void closers.splice(closers.indexOf(close), 1);
}

function takeBack(): void {
  if (closers.length === 0 || entry().isSpare) return;
  const at = (arrive().at ?? 0) + 1;
  window.history.pushState({ ...window.history.state, isSpare: true, at }, "");
  here = entry();
}

function onPopState(): void {
  const left = here;
  const { at } = entry();
  const { isSpare, href } = arrive();
  if (at === undefined || left?.at === undefined || at === left.at || href !== left.href) return;
  const close = closers.at(-1);
  if (at > left.at) {
    if (isSpare) window.history.forward();
  } else if (left.isSpare && close) {
    close();
    setTimeout(takeBack); // after the layer is gone: the next Back closes the layer below
  } else if (left.isSpare) window.history.back();
}
