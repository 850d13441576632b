import { createContext } from "react";

/**
 * Blocks navigation while `isUnsaved` and calls `ask` with a function that continues it. Returns a function that removes
 * the guard.
 */
export type LeaveGuard = (isUnsaved: () => boolean, ask: (go: () => void) => void) => () => void;

/** Undefined on pages without a router. */
export const LeaveGuardContext = createContext<LeaveGuard | undefined>(undefined);
