import type { Input } from "./client.ts";
import { Refusal } from "./client.ts";
import type { ServerState } from "./server-state.ts";
import type { State, WireEvent } from "./state-shape.ts";

// What a tab and the worker that holds the connections of all tabs (live-worker.ts) send each other.

/** One connection to the server. Tabs that want the same one share it. */
export type Source =
  | { readonly kind: "events"; readonly userId: number; readonly register: Input<"POST /register"> }
  | { readonly kind: "server state"; readonly userId: number };

/** `id` is the tab's own number for what it follows. */
export type FromTab =
  | { readonly do: "follow"; readonly id: number; readonly source: Source }
  | { readonly do: "leave"; readonly id: number }
  | { readonly do: "try now"; readonly id: number }
  /** This tab has the focus. */
  | { readonly do: "focus" }
  /** Asks for any answer, which shows that the worker lives. */
  | { readonly do: "ping" }
  /** The page is closed. */
  | { readonly do: "close" };

export type FromWorker =
  | { readonly is: "here" }
  | { readonly is: "main tab"; readonly main: boolean }
  | { readonly is: "state"; readonly id: number; readonly state: State }
  | { readonly is: "events"; readonly id: number; readonly events: readonly WireEvent[] }
  | { readonly is: "server state"; readonly id: number; readonly state: ServerState }
  | { readonly is: "error"; readonly id: number; readonly error: PlainError | undefined };

/** An error as it can be sent to another thread: its class would be lost. */
export type PlainError =
  | { readonly refusal: Readonly<Record<string, unknown>>; readonly status: number }
  | { readonly refusal?: never; readonly message: string };

export const plainError = (error: unknown): PlainError =>
  error instanceof Refusal
    ? { status: error.status, refusal: { msg: error.message, code: error.code, ...error.data } }
    : { message: String(error) };

export const errorFrom = (error: PlainError): Error =>
  error.refusal ? new Refusal(error.status, error.refusal) : new TypeError(error.message);
