import type { ServerState } from "../../../main/bridge-types.ts";
import { useStore } from "../../api/store.ts";
import { useAdmin } from "../admin-context.ts";
import type { FeedError } from "../model/server-feed.ts";

export type ServerStatus = "connecting" | "running" | "starting" | "restarting" | "failed" | "stopped" | "unreachable";

interface StatusInput {
  processState: ServerState | undefined;
  error: FeedError | undefined;
  /** Whether the server has responded to this page before. */
  hasAnswered: boolean;
}

/** The desktop app knows the state of its server; browsers infer it from the last request. */
function serverStatus({ processState, error, hasAnswered }: StatusInput): ServerStatus {
  if (processState && processState !== "running" && processState !== "setup") return processState;
  if (error) return error.isRestarting ? "restarting" : "unreachable";
  return hasAnswered ? "running" : "connecting";
}

export function useServerStatus(): ServerStatus {
  const { processState, organization, server } = useAdmin();
  const error = useStore(server.followed, (followed) => followed.error);
  const isLoaded = useStore(organization.state, (state) => state !== undefined);
  const hasState = useStore(server.followed, ({ state }) => state !== undefined);
  return serverStatus({ processState, error, hasAnswered: hasState || isLoaded });
}
