import { useSyncExternalStore } from "react";

const LOOK_EVERY_MS = 30_000;

const today = (): string => `${new Date().toDateString()} ${new Date().getTimezoneOffset()}`;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", listener);
  };
}

/** A text that changes at midnight and with the computer's time zone. */
export const useToday = (): string => useSyncExternalStore(subscribe, today);
