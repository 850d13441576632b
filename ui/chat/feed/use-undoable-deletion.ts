import { useEffect, useEffectEvent, useRef, useState } from "react";

const UNDO_MS = 6_000;

/** "sent": too late to undo. The event removes the message. */
type Stage = "none" | "undoable" | "sent";

/**
 * A deletion that can be undone for a few seconds. The request follows then, or when the message or the page closes. If
 * the server refuses, the message is visible again.
 */
export function useUndoableDeletion(deleteNow: () => Promise<unknown>) {
  const [stage, setStage] = useState<Stage>("none");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const finish = () => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setStage("sent");
    deleteNow().catch(() => setStage("none"));
  };
  const finishEarly = useEffectEvent(finish);
  useEffect(() => {
    const onPageHide = () => finishEarly();
    window.addEventListener("pagehide", onPageHide);
    return () => {
      window.removeEventListener("pagehide", onPageHide);
      finishEarly();
    };
  }, []);

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
