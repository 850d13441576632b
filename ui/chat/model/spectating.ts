import type { Client, Input } from "../../api/client.ts";
import { type Live, pause } from "../../api/live.ts";
import type { State } from "../../api/state-shape.ts";

/** Whoever reads without an account has this id: docs/protocol.md#register-without-an-account. */
export const SPECTATOR_ID = 0;

/** They get no event queue, so what is there is asked for again now and then. */
const AGAIN_MS = 60_000;

export interface SpectatingOptions {
  client: Client;
  register: Input<"POST /register">;
  onState(state: State): void;
  /** Called with an error while the server cannot be reached, then with undefined. */
  onError(error: unknown): void;
  againMs?: number;
}

/** Follows what may be read without an account, while somebody looks at the page. */
export function spectate({ client, register, onState, onError, againMs = AGAIN_MS }: SpectatingOptions): Live {
  const ended = new AbortController();
  let state: State | undefined;
  let skipPause = () => {};
  const run = async () => {
    for (let isFirst = true; !ended.signal.aborted; isFirst = false) {
      try {
        if (isFirst || document.visibilityState === "visible") {
          const { queue_id: _, ...answer } = await client.call("POST /register", register, ended.signal);
          state = { ...answer, user_id: SPECTATOR_ID } as State;
          onState(state);
          onError(undefined);
        }
      } catch (error) {
        if (ended.signal.aborted) return;
        onError(error);
      }
      const skipped = new AbortController();
      skipPause = () => skipped.abort();
      await pause(againMs, AbortSignal.any([ended.signal, skipped.signal]));
    }
  };
  void run();
  return {
    get state() {
      return state;
    },
    tryNow: () => skipPause(),
    stop: () => ended.abort(),
  };
}
