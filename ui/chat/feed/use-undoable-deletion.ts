import { useCallback, useEffect, useRef, useState } from "react";

const UNDO_MS = 6_000;

/** A deletion that can be undone for a few seconds: only then it is carried out, or when the page goes on. */
export function useUndoableDeletion(deleteNow: () => void) {
  const [isPending, setPending] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(deleteNow);
  latest.current = deleteNow;

  const finish = useCallback(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    latest.current();
  }, []);

  useEffect(() => {
    window.addEventListener("pagehide", finish);
    return () => {
      window.removeEventListener("pagehide", finish);
      finish();
    };
  }, [finish]);

  return {
    isPending,
    start() {
      setPending(true);
      timer.current = setTimeout(finish, UNDO_MS);
    },
    undo() {
      clearTimeout(timer.current);
      timer.current = undefined;
      setPending(false);
    },
  };
}
