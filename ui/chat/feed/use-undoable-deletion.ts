import { useCallback, useEffect, useRef, useState } from "react";

const UNDO_MS = 6_000;

/** "sent" until the message's event takes it away: by then it is too late to undo. */
type Stage = "none" | "undoable" | "sent";

/**
 * A deletion that can be undone for a few seconds: only then it is carried out, or when the page goes on. Where the
 * server refuses, the message is shown again.
 */
export function useUndoableDeletion(deleteNow: () => Promise<unknown>) {
  const [stage, setStage] = useState<Stage>("none");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(deleteNow);
  latest.current = deleteNow;

  const finish = useCallback(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setStage("sent");
    latest.current().catch(() => setStage("none"));
  }, []);

  useEffect(() => {
    window.addEventListener("pagehide", finish);
    return () => {
      window.removeEventListener("pagehide", finish);
      finish();
    };
  }, [finish]);

  return {
    isPending: stage !== "none",
    canUndo: stage === "undoable",
    start() {
      setStage("undoable");
      timer.current = setTimeout(finish, UNDO_MS);
    },
    undo() {
      clearTimeout(timer.current);
      timer.current = undefined;
      setStage("none");
    },
  };
}
