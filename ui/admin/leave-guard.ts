import type { RouterHistory } from "@tanstack/react-router";
import type { LeaveGuard } from "../parts/leave-guard.ts";

/** Makes the router ask before navigation away from unsaved input: Back, Forward, links, the palette or a typed URL. */
export const leaveGuardOf =
  (history: RouterHistory): LeaveGuard =>
  (isUnsaved, ask) => {
    const unblock = history.block({
      blockerFn: async ({ action, currentLocation, nextLocation }) => {
        // A spare entry has the same URL (parts/spare-entry.ts).
        const isElsewhere = nextLocation.href !== currentLocation.href;
        // REPLACE changes only the page's own search parameters.
        const isAsked = action !== "REPLACE" && isKnown(nextLocation.state);
        if (!isElsewhere || !isAsked || !isUnsaved()) return false;
        ask(() => {
          if (action === "BACK") history.back();
          else if (action === "FORWARD") history.forward();
          else history.push(nextLocation.href);
        });
        return true;
      },
      enableBeforeUnload: false,
    });
    const endTyped = askOfTyped(history, isUnsaved, ask);
    return () => {
      unblock();
      endTyped();
    };
  };

const isKnown = (state: { __TSR_index?: number } | null) => state?.__TSR_index !== undefined;

/**
 * A typed URL is a new history entry that the router does not know, so it would reload the page to go back. This goes
 * back by one entry before the router sees either step.
 */
function askOfTyped(history: RouterHistory, isUnsaved: () => boolean, ask: (go: () => void) => void): () => void {
  let isReturning = false;
  const onPopState = (event: PopStateEvent) => {
    const typed = window.location.hash.slice(1) || "/";
    const isTyped = !isKnown(window.history.state) && typed !== history.location.href;
    if (!isReturning && !(isTyped && isUnsaved())) return;
    event.stopImmediatePropagation();
    if (isReturning) {
      isReturning = false;
      return;
    }
    isReturning = true;
    window.history.back();
    ask(() => history.push(typed));
  };
  window.addEventListener("popstate", onPopState, { capture: true });
  return () => window.removeEventListener("popstate", onPopState, { capture: true });
}
