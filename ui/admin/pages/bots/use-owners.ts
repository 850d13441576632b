import { useMemo } from "react";
import type { WireUser } from "../../../../server/api/presenters/users.ts";
import { GUEST } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";

/** Who can own a bot: active people who are no guests, by name. */
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
