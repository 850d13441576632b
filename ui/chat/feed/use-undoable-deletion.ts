import { useCallback, useEffect, useRef, useState } from "react";

const UNDO_MS = 6_000;

/** "sent" until the message's event removes the message: then it is too late to undo. */
type Stage = "none" | "undoable" | "sent";

/** Deletes after a few seconds, or when the page closes, so that the user can undo. */
export function useUndoableDeletion(deleteNow: () => Promise<unknown>) {
  const [stage, setStage] = useState<Stage>("none");
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => Promise<unknown> }>(undefined);

  const cancel = useCallback(() => {
    const { current } = pending;
    clearTimeout(current?.timer);
    pending.current = undefined;
    return current;
  }, []);
  const finish = useCallback(() => {
    const deletion = cancel();
    if (!deletion) return;
    setStage("sent");
    deletion.run().catch(() => setStage("none"));
  }, [cancel]);

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
      pending.current = { timer: setTimeout(finish, UNDO_MS), run: deleteNow };
    },
    undo() {
      cancel();
      setStage("none");
    },
  };
}
