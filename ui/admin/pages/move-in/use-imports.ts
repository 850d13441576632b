import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { useHostChanges } from "../../use-answer.ts";

const ROUTE = "GET /host/imports";
/** No event reports the progress of an import. Idle polls find work of other people. */
const POLL_MS = { busy: 700, idle: 30_000 };
const IDLE_STAGES = new Set<string | undefined>([undefined, "ready", "failed"]);

type Imports = Answer<typeof ROUTE>;
export type Current = NonNullable<Imports["current"]>;
export type Import = Imports["imports"][number];
export type Counts = Import["counts"];
export type Preview = Answer<"GET /host/imports/current/preview">;

export function useImports(): { data: Imports | undefined; error: Error | null; refetch(): Promise<void> } {
  const client = useClient();
  const queries = useQueryClient();
  useHostChanges(ROUTE);
  const { data, error } = useQuery({
    queryKey: [ROUTE],
    queryFn: ({ signal }) => client.call(ROUTE, {}, signal),
    refetchInterval: ({ state }) => (IDLE_STAGES.has(state.data?.current?.stage) ? POLL_MS.idle : POLL_MS.busy),
  });
  return { data, error, refetch: () => queries.invalidateQueries({ queryKey: [ROUTE] }) };
}
