import { useEffect, useState } from "react";
import type { Desktop, ServerProblem, ServerState } from "../../../../main/bridge-types.ts";

/** The state stays "restarting" while failures add up, so their number is polled. */
const ASK_MS = 2000;
/** A restart repairs a single failure before anyone could read about it. */
const REPEATED = 3;

/** Why the server is down, if a restart does not repair it; undefined in a browser. */
export function useServerProblem(
  desktop: Desktop | undefined,
  state: ServerState | undefined,
): ServerProblem | undefined {
  const [problem, setProblem] = useState<ServerProblem | null>(null);
  const isDown = state === "restarting" || state === "failed" || state === "stopped";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state can have another problem
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
