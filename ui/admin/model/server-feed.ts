import { type Client, Refusal } from "../../api/client.ts";
import { liveTab } from "../../api/live-tab.ts";
import { isForbidden, type ServerState, type ServerStateFeed } from "../../api/server-state.ts";
import { Store } from "../../api/store.ts";

export interface FeedError {
  since: number;
  /** The server has answered that it is restarting. */
  isRestarting: boolean;
}

export interface FollowedServer {
  /** The newest answer, also while the server cannot be reached. */
  readonly state: ServerState | undefined;
  /** How far the server's clock is ahead of this machine's, in ms. */
  readonly clockAhead: number;
  readonly error: FeedError | undefined;
}

export interface ServerFeedOptions {
  client: Client;
  userId: number;
  onForbidden(): void;
  /** The server is starting and has no state yet. */
  onNotReady(): void;
}

/** Latency varies, so a smaller difference between the clocks is ignored: times would flicker. */
const JITTER_MS = 1_000;

/** GET /host/state, live. */
export class ServerFeed {
  readonly followed = new Store<FollowedServer>({ state: undefined, clockAhead: 0, error: undefined });
  readonly #feed: ServerStateFeed;

  constructor({ client, userId, onForbidden, onNotReady }: ServerFeedOptions) {
    this.#feed = liveTab().followServerState({
      client,
      userId,
      onState: (state) => {
        const ahead = state.now - Date.now();
        this.followed.update(({ clockAhead, error }) => ({
          state,
          clockAhead: Math.abs(ahead - clockAhead) > JITTER_MS ? ahead : clockAhead,
          error,
        }));
      },
      onError: (cause) => {
        if (isForbidden(cause)) return onForbidden();
        const isRestarting = cause instanceof Refusal && cause.code === "SERVER_NOT_READY";
        if (isRestarting) onNotReady();
        this.followed.update(({ error, ...rest }) => ({
          ...rest,
          error: cause ? { since: error?.since ?? Date.now(), isRestarting } : undefined,
        }));
      },
    });
  }

  tryNow(): void {
    this.#feed.tryNow();
  }

  stop(): void {
    this.#feed.stop();
  }
}
