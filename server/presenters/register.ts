import type { z } from "zod";
import { publicParts } from "./public-access.ts";
import type { Fields, RegisterContext, RegisterPart } from "./register-part.ts";
import { registerParts, stateOf } from "./register-parts.ts";

/** What POST /register answers with beside the queue: for people, and for spectators. */
export const registerState = stateOf(registerParts);
export const publicState = stateOf(publicParts);

type Readable = Readonly<Record<string, { read(context: RegisterContext): object }>>;

/** Reads what takes long, step by step: the turn that reads the state finds it, unless it has changed by then. */
export function* readAhead(context: RegisterContext): Generator<undefined, void> {
  for (const [name, part] of Object.entries<Pick<RegisterPart<Fields>, "readAhead">>(registerParts)) {
    if (!part.readAhead || !context.fetches(name)) continue;
    yield* part.readAhead(context);
    yield;
  }
}

/** The parts that the client asks for, as they are in this synchronous turn. */
function stateIn(parts: Readable, context: RegisterContext): object {
  const state = {};
  for (const [name, part] of Object.entries(parts)) if (context.fetches(name)) Object.assign(state, part.read(context));
  return state;
}

export const readState = (context: RegisterContext): z.output<typeof registerState> => stateIn(registerParts, context);
export const readPublicState = (context: RegisterContext): z.output<typeof publicState> =>
  stateIn(publicParts, context);
