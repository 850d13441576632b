import type { z } from "zod";
import type { Fields, RegisterContext, RegisterPart } from "./register-part.ts";
import { type publicState, registerParts, type registerState } from "./register-parts.ts";

const parts = Object.entries<RegisterPart<Fields, Fields>>(registerParts);

/** Reads what takes long, step by step: the turn that reads the state finds it, unless it has changed by then. */
export function* readAhead(context: RegisterContext): Generator<undefined, void> {
  for (const [name, part] of parts) {
    if (!part.readAhead || !context.fetches(name)) continue;
    yield* part.readAhead(context);
    yield;
  }
}

/** The parts that the client asks for, as they are in this synchronous turn. */
function stateIn(context: RegisterContext, read: "read" | "readForSpectators"): object {
  const state = {};
  for (const [name, part] of parts) if (context.fetches(name)) Object.assign(state, part[read](context));
  return state;
}

export const readState = (context: RegisterContext): z.output<typeof registerState> => stateIn(context, "read");
export const readPublicState = (context: RegisterContext): z.output<typeof publicState> =>
  stateIn(context, "readForSpectators");
