import { QueryClient } from "@tanstack/react-query";
import { Refusal } from "./client.ts";

/**
 * Events keep shown responses current, so a query fetches again only when an event or its page asks for that. The server
 * can be on this computer, so requests do not wait for a network connection.
 */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => !(error instanceof Refusal) && count < 3,
      },
    },
  });
