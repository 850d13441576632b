import { useMemo } from "react";
import type { WireUser } from "../../../../server/api/presenters/users.ts";
import { GUEST } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";

/** The people who can own a bot, by name: active people except guests. */
export function useOwners(): readonly WireUser[] {
  const users = useOrganization(({ realm_users }) => realm_users);
  return useMemo(
    () =>
      (users ?? [])
        .filter(({ is_bot, role }) => !is_bot && role < GUEST)
        .sort((a, b) => a.full_name.localeCompare(b.full_name)),
    [users],
  );
}
