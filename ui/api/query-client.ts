import { QueryClient } from "@tanstack/react-query";
import { Refusal } from "./client.ts";

/** Events keep shown responses current, so a query fetches again only when an event or its page asks for that. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => !(error instanceof Refusal) && count < 3,
      },
    },
  });
