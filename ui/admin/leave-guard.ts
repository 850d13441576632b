import type { RouterHistory } from "@tanstack/react-router";
import type { LeaveGuard } from "../parts/leave-guard.ts";

/** Has the router ask before it leads away from something unsaved: by Back and Forward, a link, the palette or typing. */
export const leaveGuardOf =
  (history: RouterHistory): LeaveGuard =>
  (isUnsaved, ask) => {
    const unblock = history.block({
      blockerFn: async ({ action, currentLocation, nextLocation }) => {
        // The entry that Back on a phone closes has the same address (parts/spare-entry.ts).
        const isElsewhere = nextLocation.href !== currentLocation.href;
        // What is replaced is what the page itself says of what is open.
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
 * The router does not know how far away an address is that was typed, and would reload the page to get back from it. It
 * is a new entry after the present one: this goes back by one before anything hears of either step.
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
