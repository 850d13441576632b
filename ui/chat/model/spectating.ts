import type { Client, Input } from "../../api/client.ts";
import { type Live, pause } from "../../api/live.ts";
import type { State } from "../../api/state-shape.ts";

/** The user id of readers without an account (docs/protocol.md#register-without-an-account). */
export const SPECTATOR_ID = 0;

/** Spectators have no event queue, so the page polls. */
const AGAIN_MS = 60_000;

export interface SpectatingOptions {
  client: Client;
  register: Input<"POST /register">;
  onState(state: State): void;
  /** Called with undefined when the server responds again. */
  onError(error: unknown): void;
  againMs?: number;
}

/** Polls the public state while the page is visible. */
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
