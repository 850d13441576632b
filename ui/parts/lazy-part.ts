import { type ComponentProps, type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";

/** The pause between attempts, in milliseconds. */
const WAIT_MS = { first: 500, most: 5_000 };
/** Attempts against a server that responds: the browser may have dropped the part, or the server just restarted. */
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
 * Loads a part of the page, and retries while the server does not respond. Rejects if the server responds without that
 * part: it has been updated since the page loaded.
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
 * A component that loads when it first renders; until then it shows `Placeholder`. A failure reaches the ErrorBoundary.
 * React's `lazy` is unsuitable: after a Suspense fallback, React waits 300 ms before it shows anything else.
 */
// biome-ignore lint/suspicious/noExplicitAny: as React declares its own: any props
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
  Placeholder?: ComponentType,
): (props: ComponentProps<Part>) => ReactNode {
  let Loaded: Part | undefined;
  let loading: Promise<void> | undefined;
  const begin = () => {
    loading ??= loadPart(load).then(
      (module) => {
        Loaded = module.default;
      },
      (error: unknown) => {
        loading = undefined; // the next render retries
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
    void begin().catch(() => {}); // the effect reports it
    return Placeholder ? createElement(Placeholder) : null;
  };
}
