import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { useHostChanges } from "../../use-answer.ts";

const ROUTE = "GET /host/backups";
/** While something is being done, and otherwise: the schedule checks one, or somebody else. */
const POLL_MS = { busy: 700, idle: 30_000 };

/** The backups, asked for again and again while something is being done: nothing else says how far it is. */
export function useBackups(): { data: Answer<typeof ROUTE> | undefined; error: Error | null; ask(): Promise<void> } {
  const client = useClient();
  const queries = useQueryClient();
  useHostChanges(ROUTE);
  const { data, error } = useQuery({
    queryKey: [ROUTE],
    queryFn: ({ signal }) => client.call(ROUTE, {}, signal),
    refetchInterval: (query) => (query.state.data?.work ? POLL_MS.busy : POLL_MS.idle),
  });
  return { data, error, ask: () => queries.invalidateQueries({ queryKey: [ROUTE] }) };
}
