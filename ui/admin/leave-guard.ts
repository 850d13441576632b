import type { RouterHistory } from "@tanstack/react-router";
import type { LeaveGuard } from "../parts/leave-guard.ts";

/** Has the router ask before it leads away from something unsaved: by Back and Forward, a link or the palette. */
export const leaveGuardOf =
  (history: RouterHistory): LeaveGuard =>
  (isUnsaved, ask) =>
    history.block({
      blockerFn: async ({ action, currentLocation, nextLocation }) => {
        // The entry that Back on a phone closes has the same address (parts/spare-entry.ts).
        const isElsewhere = nextLocation.href !== currentLocation.href;
        // What is replaced is what the page itself says of what is open. An address that was typed has no place in the
        // history yet, and so there would be no way back from it.
        const isAsked = action !== "REPLACE" && nextLocation.state.__TSR_index !== undefined;
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
