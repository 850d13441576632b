import { type Client, isHttpsNeeded, Refusal } from "../../api/client.ts";
import { liveTab } from "../../api/live-tab.ts";
import { isForbidden, type ServerState, type ServerStateFeed } from "../../api/server-state.ts";
import { Store } from "../../api/store.ts";

export interface FeedError {
  since: number;
  /** The server responded that it is restarting. */
  isRestarting: boolean;
  needsHttps: boolean;
}

export interface FollowedServer {
  /** The newest response, also while the server is unreachable. */
  readonly state: ServerState | undefined;
  /** How far the server's clock is ahead of this machine's, in ms. */
  readonly clockAhead: number;
  readonly error: FeedError | undefined;
}

export interface ServerWatch {
  readonly followed: Store<FollowedServer>;
  tryNow(): void;
  stop(): void;
}

export interface ServerFeedOptions {
  client: Client;
  userId: number;
  onForbidden(): void;
  /** The server is starting and has no state yet. */
  onNotReady(): void;
}

/** Latency varies, and smaller changes of the clock offset would make the shown times flicker. */
const JITTER_MS = 1_000;

/** Follows GET /host/state. */
export class ServerFeed implements ServerWatch {
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
        if (isNotReady(cause)) onNotReady();
        reportError(this.followed, cause);
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

/** For moderators and members, who cannot read the server's state: only whether it responds. */
export class ServerConnection implements ServerWatch {
  readonly followed = new Store<FollowedServer>({ state: undefined, clockAhead: 0, error: undefined });
  readonly #options: Pick<ServerFeedOptions, "onForbidden" | "onNotReady"> & { tryNow(): void };

  constructor(options: Pick<ServerFeedOptions, "onForbidden" | "onNotReady"> & { tryNow(): void }) {
    this.#options = options;
  }

  /** Takes the errors of the live state: an error while the server is unreachable, then undefined. */
  report(cause: unknown): void {
    if (isForbidden(cause)) {
      this.#options.onForbidden();
      return;
    }
    if (isNotReady(cause)) this.#options.onNotReady();
    reportError(this.followed, cause);
  }

  tryNow(): void {
    this.#options.tryNow();
  }

  stop(): void {}
}

const isNotReady = (cause: unknown): boolean => cause instanceof Refusal && cause.code === "SERVER_NOT_READY";

const reportError = (followed: Store<FollowedServer>, cause: unknown): void =>
  followed.update(({ error, ...rest }) => ({
    ...rest,
    error: cause
      ? {
          since: error?.since ?? Date.now(),
          isRestarting: isNotReady(cause),
          needsHttps: isHttpsNeeded(cause),
        }
      : undefined,
  }));
