import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Answer, Input, Route } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { useAdmin } from "./admin-context.ts";
import type { EventType } from "./model/organization.ts";

/** Events that come within this time cause one call. */
const GATHER_MS = 400;

/** Routes that only read. */
export type ReadRoute = Extract<Route, `GET ${string}`>;

export interface AnswerOptions {
  /** Events that change the answer: it is asked for again. */
  changedBy?: readonly EventType[];
  /** Not all of its changes are announced: it is asked for whenever it is shown. */
  isAskedAnew?: boolean;
  /** Not asked for while this is false. */
  isEnabled?: boolean;
  /** Until there is an answer to other parameters, the one before is given. */
  keepsPrevious?: boolean;
}

/** The answer to a call that the live state lacks, kept while the page is open and asked for again when it has changed. */
export function useAnswer<R extends ReadRoute>(
  route: R,
  input: Input<R>,
  { changedBy = [], isAskedAnew = false, isEnabled = true, keepsPrevious = false }: AnswerOptions = {},
): UseQueryResult<Answer<R>> {
  const client = useClient();
  const queries = useQueryClient();
  const { organization } = useAdmin();
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
    ...(isAskedAnew && { staleTime: 0 }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}
