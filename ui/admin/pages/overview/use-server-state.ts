import { useEffect, useRef, useState } from "react";
import { Refusal } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { followServerState, isForbidden, type ServerState, type ServerStateFeed } from "../../../api/server-state.ts";

export interface FeedError {
  since: number;
  /** The server said itself that it is starting again. */
  isRestarting: boolean;
}

export interface Followed {
  /** The newest that is known, kept while the server cannot be reached. */
  host: ServerState | undefined;
  /** How far the server's clock is ahead of this machine's, in ms. */
  clockAhead: number;
  trouble: FeedError | undefined;
  tryNow(): void;
}

/** An answer is under way for now longer, now shorter: what is told by the server's clock would flicker. */
const JITTER_MS = 1_000;

export interface ServerStateReactions {
  onForbidden(): void;
  /** The server says that it cannot tell yet. */
  onNotReady(): void;
}

export function useServerState(reactions: ServerStateReactions): Followed {
  const client = useClient();
  const [host, setHost] = useState<ServerState>();
  const [clockAhead, setClockAhead] = useState(0);
  const [trouble, setTrouble] = useState<FeedError>();
  const feed = useRef<ServerStateFeed>(undefined);
  const newest = useRef(reactions);
  newest.current = reactions;

  useEffect(() => {
    feed.current = followServerState({
      client,
      onState(state) {
        setHost(state);
        const ahead = state.now - Date.now();
        setClockAhead((before) => (Math.abs(ahead - before) > JITTER_MS ? ahead : before));
      },
      onError(error) {
        if (isForbidden(error)) return newest.current.onForbidden();
        const isRestarting = error instanceof Refusal && error.code === "SERVER_NOT_READY";
        if (isRestarting) newest.current.onNotReady();
        setTrouble((before) => (error ? { since: before?.since ?? Date.now(), isRestarting } : undefined));
      },
    });
    return () => feed.current?.stop();
  }, [client]);

  return { host, clockAhead, trouble, tryNow: () => feed.current?.tryNow() };
}
