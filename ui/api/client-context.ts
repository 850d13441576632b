import { createContext, useContext } from "react";
import type { Client } from "./client.ts";

const Context = createContext<Client | undefined>(undefined);

export const ClientProvider = Context.Provider;

export function useClient(): Client {
  const client = useContext(Context);
  if (!client) throw new Error("There is no ClientProvider above this component.");
  return client;
}
