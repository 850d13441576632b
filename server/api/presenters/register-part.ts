import type { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import type { Bot } from "../queries/bots.ts";
import type { User } from "../queries/users.ts";
import type { ClientCapabilities } from "./client-capabilities.ts";

export interface RegisterContext {
  readonly reader: Reader;
  readonly viewer: User;
  /** Whether the client asked for this part (`fetch_event_types`, else `event_types`, else everything). */
  fetches(name: string): boolean;
  /** The parts that the client requested; undefined if it requested none and so gets all of them. */
  readonly names?: ReadonlySet<string> | undefined;
  readonly capabilities: ClientCapabilities;
  readonly includeSubscribers: "true" | "false" | "partial";
  readonly slimPresence: boolean;
  readonly presenceHistoryLimitDays: number;
  /** The URL at which the client reached the server, without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The current API key. Keys are derived, not stored. */
  keyOf(user: User): string;
  /** The token of an outgoing webhook. It is stored encrypted. */
  tokenOf(bot: Bot): string;
  /** Data that an earlier turn has read, by table, with the table's version at that time. */
  readonly ahead: Map<string, { version: object; value: unknown }>;
}

export type Fields = Readonly<Record<string, z.ZodType>>;
export type FieldValues<F extends Fields> = z.output<z.ZodObject<F>>;

/** A part of POST /register: its top-level fields in the response, and the function that reads them. */
export interface RegisterPart<F extends Fields, P extends Fields = F> {
  readonly fields: F;
  /** The fields that spectators get. */
  readonly spectatorFields: P;
  read(context: RegisterContext): FieldValues<F>;
  /** For requests without an account: docs/protocol.md#register-without-an-account. */
  readForSpectators(context: RegisterContext): FieldValues<P>;
  /** Reads slow data in earlier turns, with one step per turn. `read` then gets it from `readOnce`. */
  readAhead?(context: RegisterContext): Iterable<undefined>;
}

interface PartDeclaration<F extends Fields, P extends Fields> {
  fields: F;
  read(context: RegisterContext): FieldValues<F>;
  /** Required, so that a new part does not reveal data accidentally. "same": `read` does not depend on the viewer. */
  spectators: "same" | NoInfer<FieldValues<P>> | ((context: RegisterContext) => NoInfer<FieldValues<P>>);
  /** Set if spectators get different fields. */
  spectatorFields?: P;
  /** A generator takes one turn per step. */
  readAhead?: (context: RegisterContext) => unknown;
}

/** Declares a part. Its key in `registerParts` is the name in `fetch_event_types` (docs/protocol.md#register). */
export function registerPart<F extends Fields, P extends Fields = F>({
  fields,
  read,
  spectators,
  spectatorFields,
  readAhead,
}: PartDeclaration<F, P>): RegisterPart<F, P> {
  const constant = () => spectators as FieldValues<P>;
  return {
    fields,
    spectatorFields: spectatorFields ?? (fields as unknown as P),
    read,
    readForSpectators:
      typeof spectators === "function"
        ? (spectators as (context: RegisterContext) => FieldValues<P>)
        : spectators === "same"
          ? (read as unknown as (context: RegisterContext) => FieldValues<P>)
          : constant,
    ...(readAhead && { readAhead: inSteps(readAhead) }),
  };
}

const isGenerator = (value: unknown): value is Generator<undefined> =>
  Object.prototype.toString.call(value) === "[object Generator]";

const inSteps =
  (read: (context: RegisterContext) => unknown) =>
  (context: RegisterContext): Iterable<undefined> => {
    const steps = read(context);
    return isGenerator(steps) ? steps : [];
  };

/**
 * Reads the viewer's rows in these tables once per request, unless a statement writes to one of the tables in the
 * meantime. Several parts of /register share the result, and `readAhead` can read it in an earlier turn.
 */
export function readOnce<T>({ reader, ahead }: RegisterContext, tables: readonly string[], read: () => T): T {
  const name = tables.join();
  const version = reader.derived(`version of ${name} for /register`, tables, () => ({}));
  const found = ahead.get(name);
  if (found?.version === version) return found.value as T;
  const value = read();
  ahead.set(name, { version, value });
  return value;
}
