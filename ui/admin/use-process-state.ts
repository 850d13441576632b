import { useEffect, useState } from "react";
import type { Desktop, ServerState } from "../../main/bridge-types.ts";

/** The state of the server process, reported by the desktop app; undefined in a browser. */
export function useProcessState(desktop: Desktop | undefined): ServerState | undefined {
  const [state, setState] = useState<ServerState>();
  useEffect(() => desktop?.onServerState(setState), [desktop]);
  return state;
}
