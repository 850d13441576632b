import { useSyncExternalStore } from "react";

const LOOK_EVERY_MS = 30_000;

/** The day and the zone of this computer's clock. */
const today = (): string => `${new Date().toDateString()} ${new Date().getTimezoneOffset()}`;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", listener);
  };
}

/** Another text after midnight, and where the computer came to another time zone. */
export const useToday = (): string => useSyncExternalStore(subscribe, today);
