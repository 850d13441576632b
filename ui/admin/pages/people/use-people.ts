import { useDeferredValue, useMemo } from "react";
import type { WirePresence } from "../../../../server/api/presenters/presence.ts";
import type { WireUserGroup } from "../../../../server/api/presenters/user-groups.ts";
import type { WireUser } from "../../../../server/api/presenters/users.ts";
import { OWNER, ROLES, type Role } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";

export interface Person {
  readonly id: number;
  readonly name: string;
  /** The address that they sign in with; empty where it is hidden from the viewer. */
  readonly email: string;
  readonly user: WireUser;
  /** Own groups of the organization that name the person directly, deactivated ones left out. */
  readonly groups: readonly WireUserGroup[];
  /**
   * When they were in the chat, or signed in, in milliseconds since the epoch; undefined where nobody knows: a year ago
   * or longer, or hidden.
   */
  readonly lastSeen: number | undefined;
  /** Undefined where the viewer may not know, or the server has not answered yet. */
  readonly signIns: SignIns | undefined;
}

/** The browsers that somebody is signed in with. */
export interface SignIns {
  readonly browsers: number;
  /** When the newest of them signed in, in milliseconds since the epoch; undefined with none. */
  readonly newestAt: number | undefined;
}

const NO_GROUPS: readonly WireUserGroup[] = [];
const NO_SIGN_INS: SignIns = { browsers: 0, newestAt: undefined };

/** Who is signed in with how many browsers, by user id; undefined where the viewer may not know, or does not yet. */
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

/** Everybody but bots, deactivated people too. */
export function usePeople(rights: Rights): Person[] {
  const active = useOrganization(({ realm_users }) => realm_users);
  const deactivated = useOrganization(({ realm_non_active_users }) => realm_non_active_users);
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  // Presences change all the time: the table may follow a moment later, so that typing in the search stays quick.
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

/** What the viewer may do with people: docs/protocol.md#system-groups. */
export interface Rights {
  /** Change people who are not owners, add some, see what belongs to an account. */
  readonly isAdministrator: boolean;
  /** Change owners too, and read the audit. */
  readonly isOwner: boolean;
}

export function useRights(): Rights {
  const isAdministrator = useOrganization(({ is_admin }) => is_admin === true);
  const isOwner = useOrganization(({ is_owner }) => is_owner === true);
  return useMemo(() => ({ isAdministrator, isOwner }), [isAdministrator, isOwner]);
}

export const mayChange = ({ isAdministrator, isOwner }: Rights, { user }: Pick<Person, "user">): boolean =>
  isOwner || (isAdministrator && !user.is_owner);

/** Roles that the viewer may give. */
export const rolesToGive = ({ isOwner }: Rights): Role[] => ROLES.filter((role) => isOwner || role !== OWNER);
