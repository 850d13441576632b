import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** Milliseconds before a part is asked for again, at first and at most. */
const WAIT_MS = { first: 500, most: 5_000 };
/** How often a server that answers is asked for a part: the browser may have dropped it, or the server come back just now. */
const MAX_ANSWERED = 3;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function isAnswering(): Promise<boolean> {
  try {
    return (await fetch(window.location.pathname, { method: "HEAD", cache: "no-store" })).status < 500;
  } catch {
    return false;
  }
}

/**
 * Fetches a part of the page. While the server does not answer, it is asked for again and again, and the rest of the
 * page stays as it is. Rejects where the server answers and has no such part: it has been updated since the page began.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let [wait, answered] = [WAIT_MS.first, 0]; ; wait = Math.min(wait * 2, WAIT_MS.most)) {
    try {
      return await load();
    } catch (error) {
      if (answered === MAX_ANSWERED) throw error;
      answered = (await isAnswering()) ? answered + 1 : 0;
    }
    if (answered !== 1) await pause(wait);
  }
}

/** React's `lazy`, of a part that an outage must not cost. */
// biome-ignore lint/suspicious/noExplicitAny: as React declares it: any props
export const lazyPart = <Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> => lazy(() => loadPart(load));
