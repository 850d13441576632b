import { useEffect, useState } from "react";
import { useClient } from "../../../api/client-context.ts";
import { goLive } from "../../../api/live.ts";
import { stopWithPage } from "../../../api/page-life.ts";
import type { State } from "../../../api/state-shape.ts";

/** Only what GET /host/state lacks, so that the state stays small even with thousands of people. */
const EVENT_TYPES = ["realm", "stream"];

/** The organization, kept current by the page's own event queue. useServerState reports the errors of both. */
export function useOrganizationState(): State | undefined {
  const client = useClient();
  const [state, setState] = useState<State>();
  useEffect(() => {
    const live = goLive({
      client,
      register: { event_types: EVENT_TYPES, fetch_event_types: EVENT_TYPES },
      onState: setState,
    });
    return stopWithPage(() => live.stop());
  }, [client]);
  return state;
}
