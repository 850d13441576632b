import { z } from "zod";
import { seesInvitation } from "../access/invitations.ts";
import { type Invitation, openInvitations } from "../queries/invitations.ts";
import { ROLES, type User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

/** Open invitations that the viewer may see, oldest first. */
export const invitationsSeenBy = (reader: Reader, viewer: User, now: number): Invitation[] =>
  openInvitations(reader, now).filter((invitation) => seesInvitation(viewer, invitation));

/** What GET /invites lists: docs/protocol.md#invitations. */
export const wireInvitation = z.object({
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int().describe("When, in seconds since the epoch."),
  expiry_date: z.int().nullable(),
  invited_as: z.literal(Object.values(ROLES)),
  email: z.string().optional(),
  notify_referrer_on_join: z.boolean(),
  link_url: z.string().optional().describe("Of reusable links that the caller made or could make."),
  is_multiuse: z.boolean(),
});

/** `link`: the address of the invitation; undefined where the viewer may not see it. */
export const invitationOnWire = (
  invitation: Invitation,
  link: string | undefined,
): z.output<typeof wireInvitation> => ({
  id: invitation.id,
  invited_by_user_id: invitation.inviter_id,
  invited: Math.floor(invitation.made_at / 1000),
  expiry_date: invitation.expires_at === null ? null : Math.floor(invitation.expires_at / 1000),
  invited_as: invitation.role,
  ...(invitation.email !== null && { email: invitation.email }),
  notify_referrer_on_join: invitation.notifiesInviter,
  ...(invitation.email === null && link !== undefined && { link_url: link }),
  is_multiuse: invitation.email === null,
});
