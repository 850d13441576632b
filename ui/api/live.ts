import { type Client, type Input, Refusal } from "./client.ts";
import { applyEvent } from "./state.ts";
import type { State, WireEvent } from "./state-shape.ts";

export interface Live {
  /** Undefined before the first response. */
  readonly state: State | undefined;
  /** Makes the next attempt immediately, if the server is unreachable. */
  tryNow(): void;
  stop(): void;
}

export interface LiveOptions {
  client: Client;
  /** Parameters of POST /register. */
  register?: Input<"POST /register">;
  /** The user whom the page shows. If /register responds for another user, that is error 401. */
  userId?: number | undefined;
  onState(state: State, events: readonly WireEvent[]): void;
  /** Called with an error while the server is unreachable, then with undefined. */
  onError?(error: unknown): void;
  /** Milliseconds before the nth attempt after a failure. */
  wait?: (attempt: number) => number;
  /** A connection that is silent for longer is dead, for example after sleep. */
  silenceMs?: number;
}

/** The server responds to every poll within a minute, with a heartbeat if there are no events. */
const SILENCE_MS = 90_000;

const backOff = (attempt: number) => Math.min(10_000, 500 * 2 ** attempt) * (0.75 + Math.random() / 2);

/**
 * Registers an event queue and updates a state from its events, across failures and restarts of the server. Registers
 * again when the queue has expired.
 */
export function goLive(options: LiveOptions): Live {
  const { client, register = {}, userId, onState, onError, wait = backOff, silenceMs = SILENCE_MS } = options;
  const ended = new AbortController();
  const { signal } = ended;
  let skipPause = () => {};
  let state: State | undefined;

  async function run(): Promise<void> {
    let queue: { id: string; last: number } | undefined;
    for (let attempt = 0; !signal.aborted; ) {
      try {
        if (!queue) {
          const answer = await client.call("POST /register", register, signal);
          // While public access is on, a page whose session has expired gets a spectator's response.
          if (answer.queue_id === null) throw signedOut();
          if (userId !== undefined && (answer.user_id ?? userId) !== userId) {
            client.call("DELETE /events", { queue_id: answer.queue_id }).catch(() => {});
            throw signedOut();
          }
          queue = { id: answer.queue_id, last: answer.last_event_id };
          state = answer;
          onState(state, []);
        } else {
          // After a failure, `dont_block` shows immediately that the server is back. A long poll would take a minute.
          const ask = { queue_id: queue.id, last_event_id: queue.last, dont_block: attempt > 0 };
          const answer = await client.call(
            "GET /events",
            ask,
            AbortSignal.any([signal, AbortSignal.timeout(silenceMs)]),
          );
          const events = answer.events as unknown as WireEvent[];
          for (const event of events) {
            state = applyEvent(state as State, event);
            queue.last = event.id;
          }
          if (events.length > 0) onState(state as State, events);
        }
        if (attempt > 0) onError?.(undefined);
        attempt = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refusal && error.code === "BAD_EVENT_QUEUE_ID") {
          queue = undefined;
          continue;
        }
        onError?.(error);
        const skipped = new AbortController();
        skipPause = () => skipped.abort();
        await pause(wait(attempt), AbortSignal.any([signal, skipped.signal]));
        attempt += 1;
      }
    }
  }

  void run();
  return {
    get state() {
      return state;
    },
    tryNow: () => skipPause(),
    stop() {
      ended.abort();
      const queue_id = state?.queue_id;
      if (queue_id !== undefined) client.call("DELETE /events", { queue_id }).catch(() => {}); // otherwise it expires in ten minutes
    },
  };
}

const signedOut = () => new Refusal(401, { msg: "Sign in again.", code: "UNAUTHORIZED" });

/** Resolves after `ms`, or when the signal aborts. */
export const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
