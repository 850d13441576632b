import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Answer, Input, Route } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { useAdmin } from "./admin-context.ts";
import type { EventType } from "./model/organization.ts";
import type { FollowedServer } from "./model/server-feed.ts";

/** Events within this time cause a single call. */
const GATHER_MS = 400;

export type ReadRoute = Extract<Route, `GET ${string}`>;

export interface AnswerOptions {
  /** Events after which the query refetches. */
  changedBy?: readonly EventType[];
  /** About the server itself, which has no events: refetches after a new audit entry or backup. */
  isOfHost?: boolean;
  /** Not all changes have events: refetches at every mount. */
  isAlwaysStale?: boolean;
  isEnabled?: boolean;
  /** Keeps the previous data while new parameters load. */
  keepsPrevious?: boolean;
}

/** A query for data outside the live state, which refetches when events change it. */
export function useAnswer<R extends ReadRoute>(
  route: R,
  input: Input<R>,
  {
    changedBy = [],
    isOfHost = false,
    isAlwaysStale = false,
    isEnabled = true,
    keepsPrevious = false,
  }: AnswerOptions = {},
): UseQueryResult<Answer<R>> {
  const client = useClient();
  const queries = useQueryClient();
  const { organization } = useAdmin();
  useHostChanges(isOfHost ? route : undefined);
  const types = changedBy.join();
  useEffect(() => {
    if (types === "") return;
    const changing = new Set(types.split(","));
    let timer: number | undefined;
    const askAgain = () => {
      timer = undefined;
      // A refetch would cancel the running call, and a stream of events would cancel them all.
      if (queries.isFetching({ queryKey: [route] }) > 0) timer = window.setTimeout(askAgain, GATHER_MS);
      else void queries.invalidateQueries({ queryKey: [route] });
    };
    const unsubscribe = organization.onEvents((arrived) => {
      if (timer === undefined && [...arrived].some((type) => changing.has(type)))
        timer = window.setTimeout(askAgain, GATHER_MS);
    });
    return () => {
      window.clearTimeout(timer);
      unsubscribe();
    };
  }, [organization, queries, route, types]);
  return useQuery({
    queryKey: [route, input],
    queryFn: ({ signal }) => client.call(route, input, signal),
    enabled: isEnabled,
    ...(isAlwaysStale && { staleTime: 0 }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

/** A value that changes with each audit entry and backup. */
const hostMark = ({ state }: FollowedServer): string => {
  if (!state?.host) return "";
  const { newest_audit_id, backups } = state.host;
  return [newest_audit_id, backups.last_at, backups.failure?.at].join();
};

/** Invalidates a query about the server itself after each change there. */
export function useHostChanges(route: ReadRoute | undefined): void {
  const queries = useQueryClient();
  const { server } = useAdmin();
  useEffect(() => {
    if (route === undefined) return;
    let lastMark = hostMark(server.followed.value);
    return server.followed.subscribe(() => {
      const mark = hostMark(server.followed.value);
      if (mark === lastMark) return;
      lastMark = mark;
      void queries.invalidateQueries({ queryKey: [route] });
    });
  }, [queries, server, route]);
}
