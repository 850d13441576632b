import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { useHostChanges } from "../../use-answer.ts";

const ROUTE = "GET /host/backups";
/** No event reports the progress of a job. Idle polls find jobs of the schedule and of other people. */
const POLL_MS = { busy: 700, idle: 30_000 };

export function useBackups(): {
  data: Answer<typeof ROUTE> | undefined;
  error: Error | null;
  refetch(): Promise<void>;
} {
  const client = useClient();
  const queries = useQueryClient();
  useHostChanges(ROUTE);
  const { data, error } = useQuery({
    queryKey: [ROUTE],
    queryFn: ({ signal }) => client.call(ROUTE, {}, signal),
    refetchInterval: (query) => (query.state.data?.work ? POLL_MS.busy : POLL_MS.idle),
  });
  return { data, error, refetch: () => queries.invalidateQueries({ queryKey: [ROUTE] }) };
}
