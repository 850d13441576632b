import { createContext, useContext } from "react";
import type { Desktop, ServerState as ProcessState } from "../../main/bridge-types.ts";
import type { Session } from "../api/session.ts";
import type { State } from "../api/state-shape.ts";
import { useStore } from "../api/store.ts";
import type { Organization } from "./model/organization.ts";
import type { ServerWatch } from "./model/server-feed.ts";

export interface Admin {
  readonly session: Session;
  /** The bridge to the desktop app; undefined in a browser. */
  readonly desktop: Desktop | undefined;
  readonly processState: ProcessState | undefined;
  readonly organization: Organization;
  /** GET /host/state, for callers with access. */
  readonly server: ServerWatch;
  onSignOut(): void;
}

const Context = createContext<Admin | undefined>(undefined);

export const AdminProvider = Context.Provider;

export function useAdmin(): Admin {
  const admin = useContext(Context);
  if (!admin) throw new Error("There is no AdminProvider above this component.");
  return admin;
}

/**
 * Selects a part of the live state of /register. The component renders again only if the selected value changes, so
 * `select` must return a part of the state or a primitive; derive the rest with useMemo.
 */
export function useOrganization<S>(select: (state: State) => S): S {
  const { organization } = useAdmin();
  return useStore(organization.state, (state) => select(state as State));
}
