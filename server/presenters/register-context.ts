import type { User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

/** What the parts of POST /register are computed from. */
export interface RegisterContext {
  readonly reader: Reader;
  readonly viewer: User;
  /** Whether the client asked for this part (`fetch_event_types`, else `event_types`, else everything). */
  fetches(name: string): boolean;
  /** The parts that the client named; undefined where it named none and gets everything. */
  readonly names?: ReadonlySet<string> | undefined;
  /** Keys of `client_capabilities` that are true. */
  readonly capabilities: Readonly<Record<string, boolean>>;
  readonly includeSubscribers: "true" | "false" | "partial";
  readonly slimPresence: boolean;
  readonly clientGravatar: boolean;
  readonly presenceHistoryLimitDays: number;
  /** This server as the client addressed it, no slash at the end. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly version: string;
}

/** The top-level fields of one part, by the name in `fetch_event_types` (docs/protocol.md#register). */
export type RegisterPart = (context: RegisterContext) => Record<string, unknown>;
