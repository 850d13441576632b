import { createContext, useContext } from "react";
import type { State } from "../../api/state-shape.ts";
import { type Store, useStore } from "../../api/store.ts";

const Context = createContext<Store<State | undefined> | undefined>(undefined);

export const OrganizationProvider = Context.Provider;

/**
 * A part of the live state. The component renders again when `select` returns another value, so select a part of the
 * state or a primitive, and derive the rest with useMemo.
 */
export function useOrganization<S>(select: (state: State) => S): S {
  const organization = useContext(Context);
  if (!organization) throw new Error("There is no OrganizationProvider above this component.");
  return useStore(organization, (state) => select(state as State));
}
