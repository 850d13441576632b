import { createContext } from "react";

/**
 * Keeps a page from being left by the browser's history or a link while `isUnsaved`. Then `ask` is called, with what
 * goes on to where one was about to go. Returns what ends it.
 */
export type LeaveGuard = (isUnsaved: () => boolean, ask: (go: () => void) => void) => () => void;

/** Undefined where no router asks before it leads elsewhere. */
export const LeaveGuardContext = createContext<LeaveGuard | undefined>(undefined);
