import { useMemo } from "react";
import type { WireUser } from "../../../server/api/presenters/users.ts";
import type { State } from "../../api/state-shape.ts";
import { useOrganization } from "./organization-context.ts";

export const NO_USERS: readonly WireUser[] = [];

/**
 * A JSON value that is computed from all users. It stays the same object while its content is the same, so a component
 * that shows some users does not render again for the others.
 */
export function useFromUsers<T>(derive: (users: readonly WireUser[]) => T): T {
  const select = useMemo(() => {
    let cached: { users: readonly WireUser[]; value: T; text: string } | undefined;
    return ({ realm_users }: State): T => {
      const users = realm_users ?? NO_USERS;
      if (cached?.users === users) return cached.value;
      const value = derive(users);
      const text = JSON.stringify(value);
      cached = { users, value: cached?.text === text ? cached.value : value, text };
      return cached.value;
    };
  }, [derive]);
  return useOrganization(select);
}
