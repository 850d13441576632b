import { createHash, randomBytes } from "node:crypto";
import { ApiError, aboutParameter, badRequest, type Problem, problem, refusedParameter } from "../../errors.ts";
import type { ApiKeys } from "../../host/credentials/derived-keys.ts";
import { isAhead } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Channel, channelById, defaultChannels } from "../queries/channels.ts";
import {
  claimInvitationOf,
  type Grants,
  type Invitation,
  invitationByDigest,
  invitationById,
  MAX_WELCOME_TEXT_LENGTH,
} from "../queries/invitations.ts";
import { isDeactivated, organizationSetting } from "../queries/organization.ts";
import { type UserGroup, userGroupById } from "../queries/user-groups.ts";
import { emailKey, ROLES, type User, userByEmail, userById } from "../queries/users.ts";
import { canSeeChannel, maySubscribeOthers } from "./channels.ts";
import { uniqueIds } from "./group-settings.ts";
import { isDeliverable } from "./mails.ts";
import { allowedEmail } from "./organization.ts";
import { isPermitted } from "./roles.ts";
import { userGroupToAddTo } from "./user-groups.ts";
import { isUnclaimedPerson, mayChange, unclaimedPerson, validEmail } from "./users.ts";

/** The token is derived from the stored seed. */
export const newInvitationSeed = (): string => randomBytes(16).toString("base64url");

export const invitationDigest = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** `personal`: to an email address, or to an imported person. */
type Kind = "link" | "personal";
const PERMISSIONS = { link: "create_multiuse_invite_group", personal: "can_invite_users_group" } as const;
const kindOf = ({ email, stub_id }: Pick<Invitation, "email" | "stub_id">): Kind =>
  email === null && stub_id === null ? "link" : "personal";

/** A user can invite others to their own role and to lower roles. */
const mayInvite = (reader: Reader, viewer: User, kind: Kind, role: number): boolean =>
  isPermitted(reader, viewer, PERMISSIONS[kind]) && role >= viewer.role;

/** Whether the inviter could still create the invitation. */
export const mayStillInvite = (
  reader: Reader,
  inviter: User,
  made: Pick<Invitation, "email" | "stub_id" | "role">,
): boolean => mayInvite(reader, inviter, kindOf(made), made.role) && mayStillClaim(reader, inviter, made);

/** The link opens private history, so only administrators can create it. Only owners can do so for owners. */
function mayStillClaim(reader: Reader, inviter: User, { stub_id }: Pick<Invitation, "stub_id">): boolean {
  if (stub_id === null) return true;
  const stub = userById(reader, stub_id);
  return stub !== undefined && isUnclaimedPerson(stub) && mayChange(inviter, stub);
}

/** The imported person whom the viewer can invite to claim their account. Replaces an earlier invitation. */
export function personToInvite(reader: Reader, viewer: User, id: number): User {
  const stub = unclaimedPerson(reader, viewer, id);
  const earlier = claimInvitationOf(reader, id);
  if (earlier?.role === ROLES.owner && viewer.role !== ROLES.owner) throw badRequest("owner_invitation_owners_only");
  return stub;
}

/** The address to which the server can mail the link. */
export function invitedAddress(
  reader: Reader,
  { email, stub_id }: Pick<Invitation, "email" | "stub_id">,
): string | undefined {
  const address = stub_id === null ? email : userById(reader, stub_id)?.email;
  return address && isDeliverable(reader, address) ? address : undefined;
}

/** Whether the viewer's invitations can subscribe people to the channel. */
const mayGrant = (reader: Reader, viewer: User, channel: Channel): boolean =>
  maySubscribeOthers(reader, viewer, channel) ||
  (channel.is_default && isPermitted(reader, viewer, "can_add_subscribers_group"));

function assertMayGrant(
  reader: Reader,
  viewer: User,
  { channelIds, groupIds }: Pick<Grants, "channelIds" | "groupIds">,
  channelNotFound: "initial_channel_not_found" | "invitation_channel_not_found",
): void {
  for (const id of channelIds) {
    const channel = channelById(reader, id);
    if (!channel || channel.is_archived || !canSeeChannel(reader, viewer, channel))
      throw refusedParameter("stream_ids", channelNotFound, { id });
    if (!mayGrant(reader, viewer, channel))
      throw refusedParameter("stream_ids", "subscribe_others_not_permitted", { channel: channel.name });
  }
  for (const id of groupIds) aboutParameter("group_ids", () => userGroupToAddTo(reader, viewer, id));
}

/** The initial role, channels and groups of a person whom an administrator adds. */
export interface Start extends Pick<Grants, "role" | "groupIds"> {
  /** Undefined: the default channels. */
  channelIds?: number[] | undefined;
}

export function allowedInitialAccess(reader: Reader, viewer: User, input: Start): Start {
  if (input.role === ROLES.owner && viewer.role !== ROLES.owner)
    throw badRequest("owner_role_owners_only", {}, { var_name: "invite_as" });
  const channelIds = input.channelIds && uniqueIds(input.channelIds);
  const groupIds = uniqueIds(input.groupIds);
  assertMayGrant(reader, viewer, { channelIds: channelIds ?? [], groupIds }, "initial_channel_not_found");
  return { role: input.role, channelIds, groupIds };
}

/** Only administrators can set the welcome text. It is removed for others. */
export function allowedGrants(reader: Reader, viewer: User, kind: Kind, input: Grants): Grants {
  if (!isPermitted(reader, viewer, PERMISSIONS[kind])) throw badRequest("invite_not_permitted");
  if (!mayInvite(reader, viewer, kind, input.role)) throw badRequest("invite_role_too_high");
  const channelIds = uniqueIds(input.channelIds);
  const groupIds = uniqueIds(input.groupIds);
  assertMayGrant(reader, viewer, { channelIds, groupIds }, "invitation_channel_not_found");
  if ([...(input.welcomeText ?? "")].length > MAX_WELCOME_TEXT_LENGTH)
    throw refusedParameter("welcome_message_custom_text", "welcome_message_too_long", {
      count: MAX_WELCOME_TEXT_LENGTH,
    });
  const welcomeText = viewer.role <= ROLES.administrator ? input.welcomeText : null;
  return { ...input, channelIds, groupIds, welcomeText };
}

/** Anyone can join with the link. So only its creator, and users who could grant the same, can get it. */
export function canGetLink(reader: Reader, viewer: User, invitation: Invitation): boolean {
  if (invitation.role < viewer.role || !mayStillClaim(reader, viewer, invitation)) return false;
  if (viewer.id === invitation.inviter_id) return true;
  try {
    return allowedGrants(reader, viewer, kindOf(invitation), invitation).role === invitation.role;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

export interface RefusedAddress {
  email: string;
  why: Problem;
  /** Whether its account is deactivated. */
  deactivated: boolean;
}

export function reasonNotInvited(reader: Reader, email: string): RefusedAddress | undefined {
  const existing = userByEmail(reader, email);
  if (existing?.is_imported_stub)
    return { email, why: problem("email_of_imported_person", { email }), deactivated: true };
  if (existing?.is_active) return { email, why: problem("email_has_account"), deactivated: false };
  if (existing) return { email, why: problem("email_account_deactivated"), deactivated: true };
  try {
    allowedEmail(reader, validEmail(email));
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { email, why: error.problem, deactivated: false };
  }
}

const noSuchInvitation = () => badRequest("invitation_not_found");

/** An invitation that the viewer can revoke or resend. Only owners manage invitations of owners. */
export function invitationToManage(reader: Reader, viewer: User, kind: Kind, id: number, now: number): Invitation {
  const invitation = invitationById(reader, id, now);
  if (!invitation || kindOf(invitation) !== kind || !seesInvitation(viewer, invitation)) throw noSuchInvitation();
  if (invitation.role === ROLES.owner && viewer.role !== ROLES.owner) throw badRequest("owner_invitation_owners_only");
  return invitation;
}

/**
 * Unknown, expired, revoked and used invitations get the same error. So do invitations that their creator could no
 * longer create.
 */
const voidInvitation = () =>
  new ApiError("BAD_REQUEST", problem("invitation_link_invalid"), { var_name: "token" }, { status: 404 });

/** How a person joins. Null values: the organization lets anyone join. */
export interface Entry {
  invitation: Invitation | null;
  inviter: User | null;
}

/** Replaces the token when the organization does not require an invitation. */
export const OPEN_TO_ALL = "open";

export function entryBy(reader: Reader, keys: ApiKeys, token: string, now: number): Entry {
  if (isDeactivated(reader)) throw voidInvitation();
  if (token === OPEN_TO_ALL) {
    if (organizationSetting(reader, "invite_required")) throw voidInvitation();
    return { invitation: null, inviter: null };
  }
  const invitation = invitationByDigest(reader, invitationDigest(token), now);
  // A new secret.key changes the token of a seed, so earlier links are void.
  if (!invitation || keys.invitationToken(invitation.seed) !== token) throw voidInvitation();
  // Created while the clock was ahead, so it would expire too late.
  if (invitation.expires_at !== null && isAhead(invitation.made_at, now)) throw voidInvitation();
  const inviter = userById(reader, invitation.inviter_id);
  if (!inviter?.is_active || !mayStillInvite(reader, inviter, invitation)) throw voidInvitation();
  return { invitation, inviter };
}

/**
 * The role, channels and groups that the person gets now. Excludes those that the inviter can no longer grant and those
 * that no longer exist.
 */
export function grantsOf(
  reader: Reader,
  { invitation, inviter }: Entry,
): { role: Grants["role"]; channels: Channel[]; groups: UserGroup[]; welcomeText: string } {
  const general = organizationSetting(reader, "welcome_message_custom_text");
  const ordinary = { role: ROLES.member, channels: defaultChannels(reader), groups: [], welcomeText: general };
  if (!invitation || !inviter) return ordinary;
  const given = invitation.channelIds
    .map((id) => channelById(reader, id) as Channel)
    .filter((channel) => !channel.is_archived && mayGrant(reader, inviter, channel));
  const defaults = invitation.defaultChannels ? ordinary.channels : [];
  const channels = new Map([...given, ...defaults].map((channel) => [channel.id, channel]));
  const own = inviter.role <= ROLES.administrator ? invitation.welcomeText : null;
  return {
    role: invitation.role,
    channels: [...channels.values()].sort((a, b) => a.id - b.id),
    groups: invitation.groupIds
      .filter((id) => mayAddTo(reader, inviter, id))
      .map((id) => userGroupById(reader, id) as UserGroup),
    welcomeText: own ?? general,
  };
}

function mayAddTo(reader: Reader, inviter: User, groupId: number): boolean {
  try {
    return userGroupToAddTo(reader, inviter, groupId).id === groupId;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

/** The imported account that the person claims by joining. */
export const claimedBy = (reader: Reader, { invitation }: Entry): User | undefined =>
  invitation?.stub_id == null ? undefined : userById(reader, invitation.stub_id);

export function assertInvitedAddress({ invitation }: Entry, email: string): void {
  if (invitation?.email && emailKey(email) !== emailKey(invitation.email))
    throw badRequest("invitation_email_mismatch", { email: invitation.email });
}

export const seesInvitation = (viewer: User, { inviter_id }: Pick<Invitation, "inviter_id">): boolean =>
  viewer.role <= ROLES.administrator || viewer.id === inviter_id;
