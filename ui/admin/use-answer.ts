import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Answer, Input, Route } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { useAdmin } from "./admin-context.ts";
import type { EventType } from "./model/organization.ts";
import type { FollowedServer } from "./model/server-feed.ts";

/** Events that come within this time cause one call. */
const GATHER_MS = 400;

/** Routes that only read. */
export type ReadRoute = Extract<Route, `GET ${string}`>;

export interface AnswerOptions {
  /** Events that change the answer: it is asked for again. */
  changedBy?: readonly EventType[];
  /** It is about the server itself, of which no event tells: it is asked for again when somebody has changed something. */
  isOfHost?: boolean;
  /** Not all of its changes are announced: it is asked for whenever it is shown. */
  isAlwaysStale?: boolean;
  /** Not asked for while this is false. */
  isEnabled?: boolean;
  /** Until there is an answer to other parameters, the one before is given. */
  keepsPrevious?: boolean;
}

/** The answer to a call that the live state lacks, kept while the page is open and asked for again when it has changed. */
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
      // To ask anew would cancel the call under way: a stream of events would let none of them end.
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

/** What changes of the server itself come with: an entry of the audit, or a backup. */
const hostMark = ({ state }: FollowedServer): string => {
  if (!state?.host) return "";
  const { newest_audit_id, backups } = state.host;
  return [newest_audit_id, backups.last_at, backups.failure?.at].join();
};

/** Has the answer of a route about the server itself asked for again whenever something there has changed. */
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
