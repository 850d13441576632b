import { useEffect, useState } from "react";
import type { Desktop, ServerProblem, ServerState } from "../../../../main/bridge-types.ts";

/** While the server restarts again and again, its state stays the same: the number of failures is asked for. */
const ASK_MS = 2000;
/** One failure is repaired before anybody could read about it. */
const REPEATED = 3;

/** What keeps the server from answering, when it does not go away by itself; undefined in a browser. */
export function useServerProblem(
  desktop: Desktop | undefined,
  state: ServerState | undefined,
): ServerProblem | undefined {
  const [problem, setProblem] = useState<ServerProblem | null>(null);
  const isDown = state === "restarting" || state === "failed" || state === "stopped";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state may have another problem
  useEffect(() => {
    setProblem(null);
    if (!desktop || !isDown) return;
    const ask = () => void desktop.serverProblem().then(setProblem);
    ask();
    const timer = setInterval(ask, ASK_MS);
    return () => clearInterval(timer);
  }, [desktop, state]);
  if (!isDown || !problem) return undefined;
  return state !== "restarting" || problem.failures >= REPEATED ? problem : undefined;
}
