import { sql as foundation } from "./0001-foundation.ts";
import { sql as sessions } from "./0002-sessions.ts";

/** Numbered from 1 in this order. A migration is constant SQL: it gives the same result wherever it is run. */
export const migrations: readonly string[] = [foundation, sessions];
