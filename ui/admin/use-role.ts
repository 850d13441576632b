import { ADMINISTRATOR, OWNER } from "../parts/settings/roles.ts";
import { useAdmin } from "./admin-context.ts";

export interface OwnRole {
  readonly role: number;
  readonly isOwner: boolean;
  readonly isAdministrator: boolean;
}

/** The role of whoever uses the window. The desk acts as an owner, also while there is none. */
export function useRole(): OwnRole {
  const { session } = useAdmin();
  const role = session.at_desktop ? OWNER : (session.user?.role ?? Number.POSITIVE_INFINITY);
  return { role, isOwner: role <= OWNER, isAdministrator: role <= ADMINISTRATOR };
}
