import { createContext, useContext } from "react";
import type { State } from "../../api/state-shape.ts";
import { type Store, useStore } from "../../api/store.ts";

const Context = createContext<Store<State | undefined> | undefined>(undefined);

/** Gives what stands below the organization as the page follows it. */
export const OrganizationProvider = Context.Provider;

/**
 * A part of the state of /register, live. Pages are shown when there is one. The component is rendered again only when
 * `select` gives another value, so it returns a part of the state or a primitive; derive the rest with useMemo.
 */
export function useOrganization<S>(select: (state: State) => S): S {
  const organization = useContext(Context);
  if (!organization) throw new Error("There is no OrganizationProvider above this component.");
  return useStore(organization, (state) => select(state as State));
}
