import { useEffect, useRef, useState } from "react";
import { Refusal } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { followHost, type HostFeed, type HostState, isForbidden } from "../../../api/host-feed.ts";

export interface Trouble {
  since: number;
  /** The server said itself that it is starting again. */
  isRestarting: boolean;
}

export interface Followed {
  /** The newest that is known, kept while the server cannot be reached. */
  host: HostState | undefined;
  /** How far the server's clock is ahead of this machine's, in ms. */
  clockAhead: number;
  trouble: Trouble | undefined;
  tryNow(): void;
}

/** An answer is under way for now longer, now shorter: what is told by the server's clock would flicker. */
const JITTER_MS = 1_000;

export interface HostFeedReactions {
  onForbidden(): void;
  /** The server says that it cannot tell yet. */
  onNotReady(): void;
}

export function useHostFeed(reactions: HostFeedReactions): Followed {
  const client = useClient();
  const [host, setHost] = useState<HostState>();
  const [clockAhead, setClockAhead] = useState(0);
  const [trouble, setTrouble] = useState<Trouble>();
  const feed = useRef<HostFeed>(undefined);
  const newest = useRef(reactions);
  newest.current = reactions;

  useEffect(() => {
    feed.current = followHost({
      client,
      onState(state) {
        setHost(state);
        const ahead = state.now - Date.now();
        setClockAhead((before) => (Math.abs(ahead - before) > JITTER_MS ? ahead : before));
      },
      onTrouble(error) {
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
