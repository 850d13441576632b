import { type ComponentProps, type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";

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

/**
 * A part that is loaded when it is shown first, and shown as soon as it is there; until then `Meanwhile`, or nothing.
 * What fails to load is thrown to the ErrorBoundary. Not React's `lazy`: where a fallback of Suspense has been shown,
 * React waits until 300 ms after it before it shows anything else.
 */
// biome-ignore lint/suspicious/noExplicitAny: as React declares its own: any props
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
  Meanwhile?: ComponentType,
): (props: ComponentProps<Part>) => ReactNode {
  let Loaded: Part | undefined;
  let loading: Promise<void> | undefined;
  const begin = () => {
    loading ??= loadPart(load).then(
      (module) => {
        Loaded = module.default;
      },
      (error: unknown) => {
        loading = undefined; // whoever shows it again asks again
        throw error;
      },
    );
    return loading;
  };
  return function LazyPart(props: ComponentProps<Part>): ReactNode {
    const [outcome, setOutcome] = useState<{ error?: unknown }>();
    useEffect(() => {
      if (outcome) return;
      let isShown = true;
      const show = (came: { error?: unknown }) => isShown && setOutcome(came);
      begin().then(
        () => show({}),
        (error: unknown) => show({ error }),
      );
      return () => {
        isShown = false;
      };
    }, [outcome]);
    if (Loaded) return createElement(Loaded, props);
    if (outcome) throw outcome.error;
    void begin().catch(() => {}); // the effect tells of it
    return Meanwhile ? createElement(Meanwhile) : null;
  };
}
