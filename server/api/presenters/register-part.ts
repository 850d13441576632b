import type { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import type { Bot } from "../queries/bots.ts";
import type { User } from "../queries/users.ts";
import type { ClientCapabilities } from "./client-capabilities.ts";

/** What the parts of POST /register are computed from. */
export interface RegisterContext {
  readonly reader: Reader;
  readonly viewer: User;
  /** Whether the client asked for this part (`fetch_event_types`, else `event_types`, else everything). */
  fetches(name: string): boolean;
  /** The parts that the client named; undefined where it named none and gets everything. */
  readonly names?: ReadonlySet<string> | undefined;
  readonly capabilities: ClientCapabilities;
  readonly includeSubscribers: "true" | "false" | "partial";
  readonly slimPresence: boolean;
  readonly presenceHistoryLimitDays: number;
  /** This server as the client addressed it, no slash at the end. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The API key that counts now: keys are derived, and stored nowhere. */
  keyOf(user: User): string;
  /** The token of an outgoing webhook, which is stored sealed. */
  tokenOf(bot: Bot): string;
  /** What was read ahead, kept while the answer is made. */
  readonly ahead: object[];
}

/** Schemas by field name. */
export type Fields = Readonly<Record<string, z.ZodType>>;
export type FieldValues<F extends Fields> = z.output<z.ZodObject<F>>;

/** One part of POST /register: its fields at the top level of the response, and how they are read. */
export interface RegisterPart<F extends Fields, P extends Fields = F> {
  readonly fields: F;
  /** The fields as spectators get them. */
  readonly spectatorFields: P;
  read(context: RegisterContext): FieldValues<F>;
  /** For requests without an account: docs/protocol.md#register-without-an-account. */
  readForSpectators(context: RegisterContext): FieldValues<P>;
  /** Reads what takes long in earlier turns, one step per turn, for `read` to find (`readOnce`). */
  readAhead?(context: RegisterContext): Iterable<undefined>;
}

interface PartDeclaration<F extends Fields, P extends Fields> {
  fields: F;
  read(context: RegisterContext): FieldValues<F>;
  /** Required, so that a new part gives nothing away by accident. "same": `read` depends on no person. */
  spectators: "same" | NoInfer<FieldValues<P>> | ((context: RegisterContext) => NoInfer<FieldValues<P>>);
  /** Where spectators get other fields. */
  spectatorFields?: P;
  /** A generator takes a turn for each step. */
  readAhead?: (context: RegisterContext) => unknown;
}

/** Declares a part. Its name among `registerParts` is the one in `fetch_event_types` (docs/protocol.md#register). */
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
 * What `read` gives of the viewer's own rows in these tables: for several parts of one /register, and from a turn before
 * it where nobody has written these tables since. Nothing is kept once the answers are made that show it.
 */
export function readOnce<T extends object>(
  { reader, viewer, ahead }: RegisterContext,
  name: string,
  tables: readonly string[],
  read: () => T,
): T {
  const found = reader.derived(`${name} of ${viewer.id} for /register`, tables, () => ({ value: new WeakRef(read()) }));
  let value = found.value.deref();
  if (!value) {
    value = read();
    found.value = new WeakRef(value);
  }
  ahead.push(value);
  return value;
}
