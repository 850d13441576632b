// A spare entry of the browser's history has the address of the one before it, or of what is open above a place. Back and
// Forward pass over it, unless something is open that Back closes: then that is all that Back does.

interface Entry {
  readonly href: string;
  readonly isSpare: boolean;
  /** Grows from entry to entry: tells where Back led, and a new entry, which has none yet. */
  readonly at: number | undefined;
  /** Of this entry alone, also after the one in its place was left by Back and another came. */
  readonly key: string | undefined;
}

function entry(): Entry {
  const { isSpare = false, at, key } = (window.history.state ?? {}) as Partial<Entry>;
  return { href: window.location.href, isSpare, at, key };
}

let here: Entry | undefined;

/** Tells the current entry of the history from all others of this window; undefined for one that is only just made. */
export const entryKey = (): string | undefined => entry().key;

/** What Back closes; the last one is on top. */
const closers: (() => void)[] = [];

/** Begins to follow the history; needed once, before anything is opened. */
export function followHistory(): void {
  if (here) return;
  arrive();
  window.addEventListener("popstate", onPopState);
}

/** Notes the current entry, and gives a new one its number. */
function arrive(change: { isSpare?: boolean } = {}, href?: string): Entry {
  const { at = (here?.at ?? 0) + 1, key = `${at} ${Date.now()}` } = entry();
  window.history.replaceState({ ...window.history.state, ...change, at, key }, "", href);
  here = entry();
  return here;
}

/** Makes the current entry a spare one. */
export const makeSpare = (href?: string): void => void arrive({ isSpare: true }, href);

/** Goes to an address within the page, in place of a spare entry. */
export function goToHash(hash: string): void {
  if (!entry().isSpare) window.location.hash = hash;
  else if (hash !== window.location.hash) window.location.replace(hash);
  if (here) arrive();
}

/** Has Back call `close`, until the function that it returns is called. */
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
    setTimeout(takeBack); // once what has closed is gone: what lies beneath is closed by the next Back
  } else if (left.isSpare) window.history.back();
}
