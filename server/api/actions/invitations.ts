import type { Transaction } from "../../storage/transaction.ts";
import { invitationDigest, mayStillInvite, seesInvitation } from "../access/invitations.ts";
import { claimInvitationOf, type Grants, type Invitation, invitationsTo } from "../queries/invitations.ts";
import { activeUserIds, emailKey, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { insertRow } from "./rows.ts";

const DAY_MS = 86_400_000;
const DELETED_AT_ONCE = 500;

/** Tells users who can see these inviters' invitations to fetch the list again. */
function announceChange(tx: Transaction, inviterIds: readonly number[]): void {
  const inviters = new Set(inviterIds);
  const users = activeUserIds(tx).filter((id) => {
    const inviter_id = inviters.has(id) ? id : (inviterIds[0] as number);
    return seesInvitation(userById(tx, id) as User, { inviter_id });
  });
  tx.emit({ type: "invites_changed" }, { users });
}

export interface NewInvitation {
  grants: Grants;
  /** From `newInvitationSeed`. The token is derived from it; only the token's digest is stored. */
  seed: string;
  token: string;
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null;
}

function createInvitation(
  tx: Transaction,
  actor: User,
  { grants, seed, token, expiresAt }: NewInvitation,
  { email = null, stub, notifiesInviter = false }: { email?: string | null; stub?: User; notifiesInviter?: boolean },
): number {
  const id = insertRow(tx, "invitations", {
    digest: invitationDigest(token),
    seed,
    inviter_id: actor.id,
    role: grants.role,
    email,
    email_key: email === null ? null : emailKey(email),
    stub_id: stub?.id ?? null,
    made_at: tx.now,
    expires_at: expiresAt,
    default_channels: Number(grants.defaultChannels),
    welcome_text: grants.welcomeText,
    tells_inviter: Number(notifiesInviter),
  });
  if (grants.channelIds.length > 0)
    tx.run(
      "INSERT INTO invitation_channels (invitation_id, channel_id) SELECT ?, value FROM json_each(?) ORDER BY value",
      id,
      JSON.stringify(grants.channelIds),
    );
  if (grants.groupIds.length > 0)
    tx.run(
      "INSERT INTO invitation_groups (invitation_id, group_id) SELECT ?, value FROM json_each(?) ORDER BY value",
      id,
      JSON.stringify(grants.groupIds),
    );
  const after = {
    role: grants.role,
    ...(email !== null && { email }),
    channels: grants.channelIds,
    groups: grants.groupIds,
    default_channels: grants.defaultChannels,
    expires_at: expiresAt,
  };
  if (stub) recordAudit(tx, actor, { action: "invite imported person", target: `user ${stub.id}`, after });
  else {
    const action = email === null ? "create invitation link" : "invite by email";
    recordAudit(tx, actor, { action, target: `invitation ${id}`, after });
  }
  return id;
}

/** The link can be used any number of times. */
export function inviteByLink(tx: Transaction, actor: User, invitation: NewInvitation): void {
  createInvitation(tx, actor, invitation, {});
  announceChange(tx, [actor.id]);
}

/**
 * Creates a link for each email address. Replaces earlier invitations by the actor to the same one. `asked`: email
 * addresses that count towards the daily limit, including refused ones.
 */
export function inviteByEmail(
  tx: Transaction,
  actor: User,
  invitations: readonly (NewInvitation & { email: string })[],
  { notifiesInviter, asked }: { notifiesInviter: boolean; asked: number },
): number[] {
  for (let count = 0; count < asked; count += 1) insertRow(tx, "invited_addresses", { at: tx.now });
  const ids = invitations.map(({ email, ...invitation }) => {
    tx.run("DELETE FROM invitations WHERE email_key = ? AND inviter_id = ?", emailKey(email), actor.id);
    return createInvitation(tx, actor, invitation, { email, notifiesInviter });
  });
  if (ids.length > 0) announceChange(tx, [actor.id]);
  return ids;
}

/** Creates a link with which each imported person claims their account. Replaces earlier links of these people. */
export function inviteToClaim(
  tx: Transaction,
  actor: User,
  invitations: readonly (NewInvitation & { stub: User })[],
): number[] {
  const inviters = new Set([actor.id]);
  const ids = invitations.map(({ stub, ...invitation }) => {
    for (const id of deleteClaimInvitation(tx, stub)) inviters.add(id);
    return createInvitation(tx, actor, invitation, { stub });
  });
  announceChange(tx, [...inviters]);
  return ids;
}

/** Returns the inviter, if there was an invitation. */
function deleteClaimInvitation(tx: Transaction, stub: User): number[] {
  const earlier = claimInvitationOf(tx, stub.id);
  if (!earlier) return [];
  tx.run("DELETE FROM invitations WHERE id = ?", earlier.id);
  return [earlier.inviter_id];
}

/** Call it when the account gets an owner, or is removed. */
export function voidClaimInvitation(tx: Transaction, stub: User): void {
  const inviters = deleteClaimInvitation(tx, stub);
  if (inviters.length > 0) announceChange(tx, inviters);
}

export function revokeInvitation(
  tx: Transaction,
  actor: User,
  { id, inviter_id, role, email, stub_id }: Invitation,
): void {
  tx.run("DELETE FROM invitations WHERE id = ?", id);
  recordAudit(tx, actor, {
    action: "revoke invitation",
    target: `invitation ${id}`,
    before: {
      role,
      invited_by: inviter_id,
      ...(email !== null && { email }),
      ...(stub_id !== null && { claims: stub_id }),
    },
  });
  announceChange(tx, [inviter_id]);
}

/** The invitations stay void after reactivation. */
export function revokeInvitationsOf(tx: Transaction, user: User): void {
  if (tx.run("DELETE FROM invitations WHERE inviter_id = ?", user.id) > 0) announceChange(tx, [user.id]);
}

/** Voids invitations that a demoted user may no longer create. They stay void after promotion. */
export function revokeInvitationsBeyond(tx: Transaction, user: User): void {
  const lost = tx
    .all<Pick<Invitation, "id" | "email" | "stub_id" | "role">>(
      "SELECT id, email, stub_id, role FROM invitations WHERE inviter_id = ? ORDER BY id",
      user.id,
    )
    .filter((invitation) => !mayStillInvite(tx, user, invitation));
  for (const { id } of lost) tx.run("DELETE FROM invitations WHERE id = ?", id);
  if (lost.length > 0) announceChange(tx, [user.id]);
}

/** Call it when the email address gets an account. */
export function voidInvitationsTo(tx: Transaction, email: string): void {
  const inviters = invitationsTo(tx, email).map((id) => {
    const inviterId = tx.value<number>("SELECT inviter_id FROM invitations WHERE id = ?", id) as number;
    tx.run("DELETE FROM invitations WHERE id = ?", id);
    return inviterId;
  });
  if (inviters.length > 0) announceChange(tx, inviters);
}

/** Also deletes addresses that no longer count towards the daily limit. */
export function deleteExpiredInvitations(tx: Transaction): void {
  const expired = tx.all<{ id: number; inviter_id: number }>(
    `SELECT id, inviter_id FROM invitations WHERE expires_at <= ? ORDER BY expires_at, id LIMIT ${DELETED_AT_ONCE}`,
    tx.now,
  );
  for (const { id } of expired) tx.run("DELETE FROM invitations WHERE id = ?", id);
  if (expired.length > 0) announceChange(tx, [...new Set(expired.map(({ inviter_id }) => inviter_id))]);
  const before = tx.now - DAY_MS;
  if (tx.value("SELECT id FROM invited_addresses WHERE at <= ? LIMIT 1", before) === undefined) return;
  tx.run("DELETE FROM invited_addresses WHERE at <= ?", before);
}
