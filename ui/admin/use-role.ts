import { ADMINISTRATOR, OWNER } from "../parts/settings/roles.ts";
import { useAdmin } from "./admin-context.ts";

export interface OwnRole {
  readonly role: number;
  readonly isOwner: boolean;
  readonly isAdministrator: boolean;
}

/** The user's role. The desktop app acts as an owner, even if there is none. */
export function useRole(): OwnRole {
  const { session } = useAdmin();
  const role = session.at_desktop ? OWNER : (session.user?.role ?? Number.POSITIVE_INFINITY);
  return { role, isOwner: role <= OWNER, isAdministrator: role <= ADMINISTRATOR };
}
