import type { ServerState } from "../../../../main/bridge-types.ts";
import type { FeedError } from "./use-server-state.ts";

export type Condition = "connecting" | "running" | "starting" | "restarting" | "stopped" | "unreachable";

export interface Observed {
  serverState: ServerState | undefined;
  trouble: FeedError | undefined;
  /** Whether the server has ever told how it is. */
  isKnown: boolean;
}

/** What is known of the server from here: the desktop's own word first, else what became of the last request. */
export function serverCondition({ serverState, trouble, isKnown }: Observed): Condition {
  if (serverState === "stopped" || serverState === "restarting" || serverState === "starting") return serverState;
  if (trouble) return trouble.isRestarting ? "restarting" : "unreachable";
  return isKnown ? "running" : "connecting";
}
