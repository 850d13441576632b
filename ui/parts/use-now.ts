import { useSyncExternalStore } from "react";

const STEP_MS = 5_000;

const shown = new Set<() => void>();
let timer: number | undefined;
const step = () => {
  for (const changed of [...shown]) changed();
};

function subscribe(changed: () => void): () => void {
  if (shown.size === 0) {
    timer = window.setInterval(step, STEP_MS);
    document.addEventListener("visibilitychange", step);
  }
  shown.add(changed);
  return () => {
    shown.delete(changed);
    if (shown.size > 0) return;
    window.clearInterval(timer);
    document.removeEventListener("visibilitychange", step);
  };
}

/** The current time in steps of five seconds, to keep relative times correct. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / STEP_MS) * STEP_MS);
