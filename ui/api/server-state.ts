import { type Answer, type Client, Refusal } from "./client.ts";
import { pause } from "./live.ts";

export type ServerState = Answer<"GET /host/state">;

export interface ServerStateOptions {
  client: Client;
  onState(state: ServerState): void;
  /** Called with an error while the server is unreachable, then with undefined. */
  onError(error: unknown): void;
  /** Milliseconds before the nth attempt after a failure. */
  wait?: (attempt: number) => number;
}

export interface ServerStateFeed {
  /** Makes the next attempt immediately. */
  tryNow(): void;
  stop(): void;
}

/** The server responds within 2 s. A connection that is silent for longer is dead, for example after sleep. */
const SILENCE_MS = 12_000;

const backOff = (attempt: number) => Math.min(5_000, 250 * 2 ** attempt) * (0.75 + Math.random() / 2);

/** Follows GET /host/state across failures and restarts of the server. Stops when the caller has no access. */
export function followServerState({ client, onState, onError, wait = backOff }: ServerStateOptions): ServerStateFeed {
  const ended = new AbortController();
  let skipPause = () => {};

  async function run(): Promise<void> {
    let after: number | undefined;
    for (let attempt = 0; !ended.signal.aborted; ) {
      try {
        const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(SILENCE_MS)]);
        const state = await client.call("GET /host/state", after === undefined ? {} : { after }, signal);
        after = state.sample;
        if (attempt > 0) onError(undefined);
        attempt = 0;
        onState(state);
      } catch (error) {
        if (ended.signal.aborted) return;
        onError(error);
        if (isForbidden(error)) return;
        // A restarted server counts its samples from 0.
        after = undefined;
        const skipped = new AbortController();
        skipPause = () => skipped.abort();
        await pause(wait(attempt), AbortSignal.any([ended.signal, skipped.signal]));
        attempt += 1;
      }
    }
  }

  void run();
  return { tryNow: () => skipPause(), stop: () => ended.abort() };
}

/** Signed out, or no longer an administrator. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 401 || error.code === "UNAUTHORIZED_PRINCIPAL");
