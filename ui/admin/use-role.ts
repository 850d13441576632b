import { useAdmin } from "./admin-context.ts";

const OWNER = 100;
const ADMINISTRATOR = 200;

/** Whether this person has at least the role of an owner or an administrator. The desk acts as an owner. */
export function useRole(): { isOwner: boolean; isAdministrator: boolean } {
  const { session } = useAdmin();
  const role = session.at_desktop ? OWNER : (session.user?.role ?? Number.POSITIVE_INFINITY);
  return { isOwner: role <= OWNER, isAdministrator: role <= ADMINISTRATOR };
}
