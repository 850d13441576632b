import type { TFunction } from "i18next";
import { useDeferredValue, useMemo } from "react";
import type { WirePresence } from "../../../../server/api/presenters/presence.ts";
import type { WireUserGroup } from "../../../../server/api/presenters/user-groups.ts";
import type { WireUser } from "../../../../server/api/presenters/users.ts";
import { OFFERED_ROLES, OWNER, type Role } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";

export interface Person {
  readonly id: number;
  readonly name: string;
  /** The email address for sign-ins. Empty if it is hidden from the user. */
  readonly email: string;
  readonly user: WireUser;
  /** Active groups with the person as a direct member, without groups of roles. */
  readonly groups: readonly WireUserGroup[];
  /** The last activity or sign-in, in milliseconds since the epoch. Undefined if it is hidden or a year ago. */
  readonly lastSeen: number | undefined;
  /** Undefined if the user cannot see it, or until the server responds. */
  readonly signIns: SignIns | undefined;
}

export interface SignIns {
  readonly browsers: number;
  /** The newest sign-in, in milliseconds since the epoch. */
  readonly newestAt: number | undefined;
}

const NO_GROUPS: readonly WireUserGroup[] = [];
const NO_SIGN_INS: SignIns = { browsers: 0, newestAt: undefined };

/** Sign-ins by user id. Undefined if the user cannot see them, or until the server responds. */
function useSignIns({ isAdministrator }: Rights): ReadonlyMap<number, SignIns> | undefined {
  const { data } = useAnswer(
    "GET /host/sign-ins",
    {},
    { changedBy: ["sign_ins", "realm_user"], isAlwaysStale: true, isEnabled: isAdministrator },
  );
  return useMemo(
    () =>
      isAdministrator && data
        ? new Map(data.sign_ins.map(({ user_id, browsers, newest_at }) => [user_id, { browsers, newestAt: newest_at }]))
        : undefined,
    [isAdministrator, data],
  );
}

/** All people, also deactivated ones, without bots. */
export function usePeople(rights: Rights): Person[] {
  const active = useOrganization(({ realm_users }) => realm_users);
  const deactivated = useOrganization(({ realm_non_active_users }) => realm_non_active_users);
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  // Presences change all the time. Deferring them keeps the search field fast.
  const presences = useDeferredValue(useOrganization((state) => state.presences));

  const signIns = useSignIns(rights);

  const groupsByMember = useMemo(() => {
    const byMember = new Map<number, WireUserGroup[]>();
    for (const group of groups ?? []) {
      if (group.is_system_group || group.deactivated) continue;
      for (const id of group.members) {
        const list = byMember.get(id);
        if (list) list.push(group);
        else byMember.set(id, [group]);
      }
    }
    return byMember;
  }, [groups]);

  return useMemo(
    () =>
      [...(active ?? []), ...(deactivated ?? [])].flatMap((user): Person[] => {
        if (user.is_bot) return [];
        const presence = presences?.[user.user_id] as WirePresence | undefined;
        const mayKnow = signIns !== undefined && mayChange(rights, { user });
        const ofPerson = mayKnow ? (signIns.get(user.user_id) ?? NO_SIGN_INS) : undefined;
        const seen = Math.max((presence?.idle_timestamp ?? 0) * 1000, ofPerson?.newestAt ?? 0);
        return [
          {
            id: user.user_id,
            name: user.full_name,
            email: user.delivery_email ?? "",
            user,
            groups: groupsByMember.get(user.user_id) ?? NO_GROUPS,
            lastSeen: seen === 0 ? undefined : seen,
            signIns: ofPerson,
          },
        ];
      }),
    [active, deactivated, presences, groupsByMember, signIns, rights],
  );
}

/** Whether an import created the account, and its person has not claimed it yet. */
export const isImported = ({ user }: Pick<Person, "user">): boolean => user.is_imported_stub;

export const STATUSES = ["active", "deactivated", "imported"] as const;
export const statusOf = ({ user }: Pick<Person, "user">): (typeof STATUSES)[number] =>
  user.is_active ? "active" : user.is_imported_stub ? "imported" : "deactivated";

export const statusText = (person: Pick<Person, "user">, t: TFunction): string => {
  const status = statusOf(person);
  return t(status === "imported" ? "importedPeople.badge" : `people.${status}`);
};

/** The user's permissions for people: docs/protocol.md#system-groups. */
export interface Rights {
  /** Add people, change people who are not owners, and see their account details. */
  readonly isAdministrator: boolean;
  /** Also change owners, and read the audit log. */
  readonly isOwner: boolean;
}

export function useRights(): Rights {
  const isAdministrator = useOrganization(({ is_admin }) => is_admin === true);
  const isOwner = useOrganization(({ is_owner }) => is_owner === true);
  return useMemo(() => ({ isAdministrator, isOwner }), [isAdministrator, isOwner]);
}

export const mayChange = ({ isAdministrator, isOwner }: Rights, { user }: Pick<Person, "user">): boolean =>
  isOwner || (isAdministrator && !user.is_owner);

/** Roles that the user may grant. */
export const rolesToGive = ({ isOwner }: Rights): Role[] => OFFERED_ROLES.filter((role) => isOwner || role !== OWNER);
