import { useEffect, useState } from "react";
import type { Desktop, ServerState } from "../../main/bridge-types.ts";

/** What the desktop says of its server; undefined in a browser, which cannot know. */
export function useServerState(desktop: Desktop | undefined): ServerState | undefined {
  const [state, setState] = useState<ServerState>();
  useEffect(() => desktop?.onServerState(setState), [desktop]);
  return state;
}
