import { useEffect, useRef, useState } from "react";
import { Refusal } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { followServerState, isForbidden, type ServerState, type ServerStateFeed } from "../../../api/server-state.ts";

export interface FeedError {
  since: number;
  /** The server has answered that it is restarting. */
  isRestarting: boolean;
}

export interface FollowedServerState {
  /** The newest answer, also while the server cannot be reached. */
  serverState: ServerState | undefined;
  /** How far the server's clock is ahead of this machine's, in ms. */
  clockAhead: number;
  error: FeedError | undefined;
  tryNow(): void;
}

/** Latency varies, so a smaller difference between the clocks is ignored: times would flicker. */
const JITTER_MS = 1_000;

export interface ServerStateHandlers {
  onForbidden(): void;
  /** The server is starting and has no state yet. */
  onNotReady(): void;
}

export function useServerState(handlers: ServerStateHandlers): FollowedServerState {
  const client = useClient();
  const [serverState, setServerState] = useState<ServerState>();
  const [clockAhead, setClockAhead] = useState(0);
  const [error, setError] = useState<FeedError>();
  const feed = useRef<ServerStateFeed>(undefined);
  const latestHandlers = useRef(handlers);
  latestHandlers.current = handlers;

  useEffect(() => {
    feed.current = followServerState({
      client,
      onState(state) {
        setServerState(state);
        const ahead = state.now - Date.now();
        setClockAhead((before) => (Math.abs(ahead - before) > JITTER_MS ? ahead : before));
      },
      onError(cause) {
        if (isForbidden(cause)) return latestHandlers.current.onForbidden();
        const isRestarting = cause instanceof Refusal && cause.code === "SERVER_NOT_READY";
        if (isRestarting) latestHandlers.current.onNotReady();
        setError((before) => (cause ? { since: before?.since ?? Date.now(), isRestarting } : undefined));
      },
    });
    return () => feed.current?.stop();
  }, [client]);

  return { serverState, clockAhead, error, tryNow: () => feed.current?.tryNow() };
}
