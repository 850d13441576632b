import { QueryClient } from "@tanstack/react-query";
import { Refusal } from "./client.ts";

/** The server can be on this machine or its network, so a browser that is "offline" sends all requests too. */
const networkMode = "always";

/** Events keep shown responses current, so a query fetches again only when an event or its page asks for that. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      mutations: { networkMode },
      queries: {
        networkMode,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => !(error instanceof Refusal) && count < 3,
      },
    },
  });
