import { type Client, type Input, Refusal } from "./client.ts";
import { applyEvent } from "./state.ts";
import type { State, WireEvent } from "./state-shape.ts";

export interface Live {
  /** The newest state; undefined before the first answer. */
  readonly state: State | undefined;
  stop(): void;
}

export interface LiveOptions {
  client: Client;
  /** Parameters of POST /register. */
  register?: Input<"POST /register">;
  onState(state: State, events: readonly WireEvent[]): void;
  /** Set while the server cannot be reached, then undefined. */
  onError?(error: unknown): void;
  /** Milliseconds before the nth attempt after a failure. */
  wait?: (attempt: number) => number;
  /** After so long without an answer a connection is dead, say after sleep. */
  silenceMs?: number;
}

/** The server answers a held poll within a minute, with a heartbeat where nothing happens. */
const SILENCE_MS = 90_000;

const backOff = (attempt: number) => Math.min(30_000, 500 * 2 ** attempt) * (0.75 + Math.random() / 2);

/**
 * Registers an event queue and keeps a state from its events, over failures and restarts of the server; registers
 * anew when the queue is gone.
 */
export function goLive(options: LiveOptions): Live {
  const { client, register = {}, onState, onError, wait = backOff, silenceMs = SILENCE_MS } = options;
  const ended = new AbortController();
  const { signal } = ended;
  let state: State | undefined;

  async function run(): Promise<void> {
    let queue: { id: string; last: number } | undefined;
    for (let attempt = 0; !signal.aborted; ) {
      try {
        if (!queue) {
          const answer = await client.call("POST /register", register, signal);
          // Where strangers may read, whose session has ended is answered as one of them.
          if (answer.queue_id === null) throw new Refusal(401, { msg: "Sign in again.", code: "UNAUTHORIZED" });
          queue = { id: answer.queue_id, last: answer.last_event_id };
          state = answer;
          onState(state, []);
        } else {
          // After a failure an answer at once tells that the server is back; a held poll would tell it a minute later.
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
        await pause(wait(attempt), signal);
        attempt += 1;
      }
    }
  }

  void run();
  return {
    get state() {
      return state;
    },
    stop() {
      ended.abort();
      const queue_id = state?.queue_id;
      if (queue_id !== undefined) client.call("DELETE /events", { queue_id }).catch(() => {}); // else it ends in ten minutes
    },
  };
}

/** Resolves after a while, or at once when the signal says so. */
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
