import type { Input } from "./client.ts";
import { Refusal } from "./client.ts";
import type { ServerState } from "./server-state.ts";
import type { State, WireEvent } from "./state-shape.ts";

// The messages between a tab and live-worker.ts, which holds the connections of all tabs.

/** One connection to the server. Tabs that want the same one share it. */
export type Source =
  | { readonly kind: "events"; readonly userId: number; readonly register: Input<"POST /register"> }
  | { readonly kind: "server state"; readonly userId: number };

/** `id` is the tab's own number for what it follows. */
export type FromTab =
  | { readonly do: "follow"; readonly id: number; readonly source: Source }
  | { readonly do: "leave"; readonly id: number }
  | { readonly do: "try now"; readonly id: number }
  | { readonly do: "focus" }
  /** Asks for a sign of life. */
  | { readonly do: "ping" }
  | { readonly do: "close" };

export type FromWorker =
  | { readonly is: "here" }
  | { readonly is: "main tab"; readonly main: boolean }
  | { readonly is: "state"; readonly id: number; readonly state: State }
  | { readonly is: "events"; readonly id: number; readonly events: readonly WireEvent[] }
  | { readonly is: "server state"; readonly id: number; readonly state: ServerState }
  | { readonly is: "error"; readonly id: number; readonly error: PlainError | undefined };

/** An error in a form that keeps its class across threads. */
export type PlainError =
  | { readonly refusal: Readonly<Record<string, unknown>>; readonly status: number }
  | { readonly refusal?: never; readonly message: string };

export const plainError = (error: unknown): PlainError =>
  error instanceof Refusal
    ? { status: error.status, refusal: { msg: error.message, code: error.code, ...error.data, ...error.problem } }
    : { message: String(error) };

export const errorFrom = (error: PlainError): Error =>
  error.refusal ? new Refusal(error.status, error.refusal) : new TypeError(error.message);
