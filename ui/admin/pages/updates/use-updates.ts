import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Desktop, UpdateState } from "../../../../main/bridge-types.ts";

const KEY = ["updates"];
const POLL_MS = { busy: 500, idle: 10_000 };
const AT_REST: ReadonlySet<UpdateState["step"]> = new Set(["idle", "current", "found", "ready"]);

export interface FollowedUpdates {
  state: UpdateState | undefined;
  isBusy: boolean;
  /** Makes a call and shows its progress. */
  run(call: (desktop: Desktop) => Promise<UpdateState>): Promise<UpdateState>;
}

/** The state of updates, polled: the shell does not announce the progress of a download. */
export function useUpdates(desktop: Desktop | undefined): FollowedUpdates {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => (desktop as Desktop).updates(),
    enabled: desktop !== undefined,
    refetchInterval: (query) => (isBusy(query.state.data) ? POLL_MS.busy : POLL_MS.idle),
  });
  return {
    state: data,
    isBusy: isBusy(data),
    run: async (call) => {
      const ended = call(desktop as Desktop);
      void queries.invalidateQueries({ queryKey: KEY });
      const state = await ended;
      await queries.invalidateQueries({ queryKey: KEY });
      return state;
    },
  };
}

const isBusy = (state: UpdateState | undefined): boolean => state !== undefined && !AT_REST.has(state.step);
