import type { Transaction } from "../../storage/transaction.ts";
import { claimedBy, type Entry, grantsOf, type Start } from "../access/invitations.ts";
import { channelById } from "../queries/channels.ts";
import { userGroupById } from "../queries/user-groups.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { voidClaimInvitation, voidInvitationsTo } from "./invitations.ts";
import { notifyUser, personLink } from "./notices.ts";
import { subscribe } from "./subscriptions.ts";
import { changeMembers } from "./user-groups.ts";
import { activateStub, createUser, type NewUser } from "./users.ts";

/** Channels or groups per transaction. Each takes a millisecond if a thousand users get the event. */
const AT_ONCE = 20;

/** IDs of channels and groups that the new member still has to join. */
export interface Rest {
  channelIds: readonly number[];
  groupIds: readonly number[];
}

export interface NewMember {
  user: User;
  /** For `grantNext` in later transactions. */
  rest: Rest;
}

export const isAllGranted = ({ channelIds, groupIds }: Rest): boolean => channelIds.length + groupIds.length === 0;

/** Adds the member to as many channels and groups as fit in a transaction. Returns the rest. */
export function grantNext(tx: Transaction, userId: number, { channelIds, groupIds }: Rest): Rest {
  const user = userById(tx, userId) as User;
  if (!user.is_active) return { channelIds: [], groupIds: [] };
  const channels = channelIds
    .slice(0, AT_ONCE)
    .flatMap((id) => channelById(tx, id) ?? [])
    .filter((channel) => !channel.is_archived);
  subscribe(tx, { users: [user], channels });
  for (const id of groupIds.slice(0, AT_ONCE)) {
    const group = userGroupById(tx, id);
    if (!group || group.deactivated) continue;
    changeMembers(tx, null, { group, add: [userId], remove: [], addSubgroups: [], removeSubgroups: [] });
  }
  return { channelIds: channelIds.slice(AT_ONCE), groupIds: groupIds.slice(AT_ONCE) };
}

type Person = Pick<NewUser, "email" | "full_name" | "password_hash">;

/**
 * Creates an account, or activates the imported one, with the role, channels, groups and welcome message of the
 * invitation. Errors: see `createUser`.
 */
export function join(tx: Transaction, entry: Entry, person: Person): NewMember {
  const { invitation, inviter } = entry;
  const { role, channels, groups, welcomeText } = grantsOf(tx, entry);
  const grants: Rest = { channelIds: channels.map(({ id }) => id), groupIds: groups.map(({ id }) => id) };
  const stub = claimedBy(tx, entry);
  const user = stub ? activateStub(tx, stub, { ...person, role }) : createUser(tx, null, { ...person, role });
  voidInvitationsTo(tx, user.email);
  const target = `user ${user.id}` as const;
  const joined = { full_name: user.full_name, role, channels: grants.channelIds, groups: grants.groupIds };
  if (stub && invitation) {
    voidClaimInvitation(tx, stub);
    const before = { full_name: stub.full_name, role: stub.role };
    const after = { ...joined, invited_by: invitation.inviter_id };
    recordAudit(tx, user, { action: "claim imported account", target, before, after });
  } else if (invitation) {
    const after = { ...joined, invitation: invitation.id, invited_by: invitation.inviter_id };
    recordAudit(tx, user, { action: "join by invitation", target, after });
  } else recordAudit(tx, user, { action: "join without invitation", target, after: joined });
  const rest = grantNext(tx, user.id, grants);
  if (welcomeText !== "") notifyUser(tx, user.id, welcomeText);
  if (invitation?.notifiesInviter && inviter)
    notifyUser(tx, inviter.id, `${personLink(user)} accepted your invitation.`);
  return { user, rest };
}

/** Creates an account for a person whom an administrator adds. Errors: see `createUser`. */
export function addPerson(tx: Transaction, actor: User, person: Person, start: Start): NewMember {
  const { channels, welcomeText } = grantsOf(tx, { invitation: null, inviter: null });
  const { role, groupIds, channelIds = channels.map(({ id }) => id) } = start;
  const user = createUser(tx, actor, { ...person, role });
  voidInvitationsTo(tx, user.email);
  const rest = grantNext(tx, user.id, { channelIds, groupIds });
  if (welcomeText !== "") notifyUser(tx, user.id, welcomeText);
  return { user, rest };
}
