import { useSyncExternalStore } from "react";

const STEP_MS = 5_000;

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, STEP_MS);
  document.addEventListener("visibilitychange", changed);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", changed);
  };
}

/** The time by this machine's clock, in steps of five seconds, so that relative times stay true. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / STEP_MS) * STEP_MS);
