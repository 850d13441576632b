import type { ServerState } from "../../../main/bridge-types.ts";
import type { FeedError } from "../model/server-feed.ts";

export type ServerStatus = "connecting" | "running" | "starting" | "restarting" | "failed" | "stopped" | "unreachable";

export interface StatusInput {
  processState: ServerState | undefined;
  error: FeedError | undefined;
  /** Whether the server has ever answered this page. */
  hasAnswered: boolean;
}

/** The desktop knows best how its server is; otherwise the last request tells. */
export function serverStatus({ processState, error, hasAnswered }: StatusInput): ServerStatus {
  if (processState && processState !== "running" && processState !== "setup") return processState;
  if (error) return error.isRestarting ? "restarting" : "unreachable";
  return hasAnswered ? "running" : "connecting";
}
