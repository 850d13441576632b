import type { z } from "zod";
import type { Bot } from "../queries/bots.ts";
import type { User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
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

/** One part of POST /register: its fields at the top level of the answer, and how they are read. */
export interface RegisterPart<F extends Fields> {
  readonly fields: F;
  read(context: RegisterContext): FieldValues<F>;
  /** Reads in earlier turns, each step in one of its own, what takes long, for `read` to find (`readOnce`). */
  readAhead?(context: RegisterContext): Iterable<undefined>;
}

/** Declares a part. Its name among `registerParts` is the one in `fetch_event_types` (docs/protocol.md#register). */
export const registerPart = <F extends Fields>(
  fields: F,
  read: (context: RegisterContext) => FieldValues<F>,
  readAhead?: (context: RegisterContext) => unknown,
): RegisterPart<F> => ({ fields, read, ...(readAhead && { readAhead: inOneStep(readAhead) }) });

const inOneStep =
  (read: (context: RegisterContext) => unknown) =>
  (context: RegisterContext): Iterable<undefined> => {
    read(context);
    return [];
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
