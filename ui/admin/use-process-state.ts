import { useEffect, useState } from "react";
import type { Desktop, ServerState } from "../../main/bridge-types.ts";

/** The state of the server process, as the desktop reports it; undefined in a browser, which cannot know. */
export function useProcessState(desktop: Desktop | undefined): ServerState | undefined {
  const [state, setState] = useState<ServerState>();
  useEffect(() => desktop?.onServerState(setState), [desktop]);
  return state;
}
