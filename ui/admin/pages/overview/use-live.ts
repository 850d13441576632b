import { useEffect, useState } from "react";
import { useClient } from "../../../api/client-context.ts";
import { goLive } from "../../../api/live.ts";
import type { State } from "../../../api/state-shape.ts";

/** What Overview shows by name and the host's feed does not hold: small also where there are thousands of people. */
const PARTS = ["realm", "stream"];

/** The organization by the page's own event queue. Its troubles are those of the host's feed, which tells them. */
export function useLive(): State | undefined {
  const client = useClient();
  const [state, setState] = useState<State>();
  useEffect(() => {
    const live = goLive({ client, register: { event_types: PARTS, fetch_event_types: PARTS }, onState: setState });
    const leave = () => live.stop();
    // A page that comes back out of the browser's cache has no queue any more.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload();
    window.addEventListener("pagehide", leave);
    window.addEventListener("pageshow", comeBack);
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("pageshow", comeBack);
      leave();
    };
  }, [client]);
  return state;
}
